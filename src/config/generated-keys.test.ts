import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { changeKeptKeys, loadGeneratedKeys, readKeptKeys } from './generated-keys.ts'
import { Secret } from '../lib/secrets/secret.ts'

const scratch = { directory: '' }
beforeEach(async () => {
  scratch.directory = join(await mkdtemp(join(tmpdir(), 'sedge-keys-')), 'data')
})
afterEach(() => rm(join(scratch.directory, '..'), { recursive: true, force: true }))

const keysFile = () => join(scratch.directory, 'keys.json')
const load = (...given: [string, Secret | undefined][]) =>
  loadGeneratedKeys(scratch.directory, new Map(given))

test('what is not given is generated once and found again', async () => {
  const first = await load(['A', undefined], ['B', undefined])
  expect([...first.generated.keys()]).toEqual(['A', 'B'])
  const second = await load(['A', undefined], ['B', undefined])
  expect(second.generated.size).toBe(0)
  for (const name of ['A', 'B']) {
    expect(second.secrets.get(name)?.reveal()).toBe(first.secrets.get(name)?.reveal() ?? '')
    expect(first.secrets.get(name)?.reveal()).toMatch(/^[\w-]{43}$/u)
  }
  expect(first.secrets.get('A')?.reveal()).not.toBe(first.secrets.get('B')?.reveal() ?? '')
})

test('what is given counts, is not written down, and does not lose what is kept', async () => {
  const { secrets: before } = await load(['A', undefined])
  const { secrets, generated } = await load(['A', new Secret('mine')], ['B', undefined])
  expect(secrets.get('A')?.reveal()).toBe('mine')
  expect([...generated.keys()]).toEqual(['B'])
  expect(await readFile(keysFile(), 'utf8')).not.toContain('mine')
  const { secrets: after } = await load(['A', undefined])
  expect(after.get('A')?.reveal()).toBe(before.get('A')?.reveal() ?? '')
})

test('nothing is written where everything is given', async () => {
  await load(['A', new Secret('mine')])
  expect(stat(keysFile())).rejects.toThrow('ENOENT')
})

test('only the owner can read the file, the directory, and what a crash left half written', async () => {
  await load(['A', undefined])
  await writeFile(`${keysFile()}.new`, 'half', { mode: 0o644 })
  await chmod(`${keysFile()}.new`, 0o644)
  await load(['B', undefined])
  expect((await stat(keysFile())).mode & 0o777).toBe(0o600)
  expect((await stat(scratch.directory)).mode & 0o777).toBe(0o700)
})

test('an unreadable file is refused and left alone, not replaced', async () => {
  await load(['A', undefined])
  for (const text of ['', '{"A":', '[1]', '{"A":1}', '{"A":""}', 'null']) {
    await writeFile(keysFile(), text)
    expect(load(['A', undefined])).rejects.toThrow('keys.json must be a JSON object of texts')
    expect(await readFile(keysFile(), 'utf8')).toBe(text)
  }
})

test('keys can be set and removed, and others stay', async () => {
  expect((await readKeptKeys(scratch.directory)).size).toBe(0)
  const { secrets } = await load(['A', undefined], ['B', undefined])
  await changeKeptKeys(
    scratch.directory,
    new Map([
      ['A', new Secret('mine')],
      ['B', undefined],
      ['C', new Secret('new')],
    ]),
  )
  const kept = await readKeptKeys(scratch.directory)
  expect([...kept].map(([name, secret]) => [name, secret.reveal()])).toEqual([
    ['A', 'mine'],
    ['C', 'new'],
  ])
  expect(secrets.get('A')?.reveal()).not.toBe('mine')
  expect((await stat(keysFile())).mode & 0o777).toBe(0o600)
})
