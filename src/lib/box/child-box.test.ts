import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type BoxLayer, boxLayers, createChildBox } from './child-box.ts'
import { seccompProgram } from './seccomp-program.ts'

interface Told {
  readonly layers: readonly BoxLayer[]
  /** What it could do. */
  readonly done: readonly string[]
  readonly argv: readonly string[]
}

const intruder = join(import.meta.dir, 'fixtures', 'intruder.fixture.ts')
const maxDataBytes = 8 * 2 ** 30

let directory: string
let listener: Bun.TCPSocketListener<undefined>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sedge box ø '))
  for (const name of ['inbox', 'scratch']) await mkdir(join(directory, name))
  await writeFile(join(directory, 'inbox', 'handed'), 'a picture')
  await writeFile(join(directory, 'keys.json'), '{"ACCESS_KEY":"secret"}')
  listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } })
})
afterAll(async () => {
  listener.stop(true)
  await rm(directory, { recursive: true })
})

/** What an intruder can do in a box. */
async function attempt(box = createChildBox(), env: Readonly<Record<string, string>> = {}) {
  const [inbox, scratch] = [join(directory, 'inbox'), join(directory, 'scratch')]
  const words = [join(directory, 'keys.json'), inbox, scratch, String(listener.port)]
  const boxed = box.command(intruder, [...words, String(process.pid)], {
    readable: [inbox],
    writable: [scratch],
    maxDataBytes,
    maxCpuSeconds: 60,
  })
  const told = Promise.withResolvers<Told>()
  const child = Bun.spawn({
    cmd: boxed.cmd,
    cwd: '/',
    env: { LANG: 'C.UTF-8', ...boxed.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    serialization: 'advanced',
    ipc: (message: Told) => told.resolve(message),
    onExit: () => told.reject(new Error('it ended without a word')),
  })
  const answer = await told.promise
  const limits = await Bun.file(`/proc/${child.pid}/limits`)
    .text()
    .catch(() => '')
  child.kill()
  await child.exited
  return { ...answer, limits }
}

test('a child can read what it is handed and write where it may, and knows its arguments', async () => {
  const { done, argv } = await attempt()

  expect(done.slice(0, 2)).toEqual(['read what it was handed', 'write where it may'])
  expect(argv.at(-1)).toBe(String(process.pid))
})

/** Skips, with one line, where the system has nothing that could do it. */
const withLayer = (layer: BoxLayer, name: string, work: (told: Told) => void) =>
  test(name, async () => {
    const told = await attempt()
    if (!told.layers.includes(layer)) return console.log(`skipped: nothing here keeps ${layer}`)
    work(told)
  })

withLayer(
  'files',
  'a child can read neither keys nor its parent, and change nothing',
  ({ done }) => {
    expect(done).not.toContain('read a secret')
    expect(done).not.toContain('read the environment of its parent')
    expect(done).not.toContain('read the memory of its parent')
    expect(done).not.toContain('read a secret by another program')
    expect(done).not.toContain('change what it was handed')
    expect(done).not.toContain('write elsewhere')
  },
)

withLayer('network', 'a child can open no socket', ({ done }) => {
  expect(done).not.toContain('open a TCP connection')
  expect(done).not.toContain('open a UDP socket')
})

test('a child has limits of its own, and leaves no image of its memory behind', async () => {
  const { layers, limits } = await attempt()
  if (!layers.includes('limits')) return console.log('skipped: nothing here keeps limits')

  expect(limits).toMatch(/Max cpu time +60 /u)
  expect(limits).toMatch(/Max core file size +0 +0 /u)
  expect(limits).not.toMatch(/Max data size +unlimited/u)
})

test('without a box the same child can do all of it', async () => {
  const box = createChildBox()
  while (box.loosen());
  const { done, layers } = await attempt(box)

  expect(layers).toEqual([])
  expect(done).toContain('read a secret')
  expect(done).toContain('open a TCP connection')
})

test('what is missing is told once, of the first child that works', () => {
  const told: (readonly BoxLayer[])[] = []
  const box = createChildBox({ onMissing: (missing) => told.push(missing) })
  box.noteStart(['limits', 'privileges'])
  box.noteStart([])

  expect(told).toEqual([['files', 'network']])
})

test('where nothing is missing nothing is told', () => {
  const box = createChildBox({
    onMissing: () => {
      throw new Error('nothing is missing')
    },
  })

  box.noteStart(boxLayers)
})

test('a filter is made for the machines whose calls are known, and ends by letting through', () => {
  for (const arch of ['x64', 'arm64']) {
    const program = seccompProgram(arch)
    expect(program?.length).toBeGreaterThan(50 * 8)
    expect([...(program?.slice(-8) ?? [])]).toEqual([6, 0, 0, 0, 0, 0, 0xff, 0x7f])
  }
  expect(seccompProgram('ia32')).toBeUndefined()
})

test('a program of the machine reads what it is sent, and no file, and starts no other', async () => {
  const words = `read line; echo "$line"; read key < "$1" && echo "$key"; /bin/cat "$1"; echo end`
  const belongings = { readable: [], writable: [], maxDataBytes }
  const args = ['-c', words, 'sh', join(directory, 'keys.json')]
  const { cmd, env } = createChildBox().machineCommand('/bin/sh', args, belongings)
  const child = Bun.spawn({
    cmd,
    cwd: '/',
    env: { LANG: 'C.UTF-8', ...env },
    stdin: Buffer.from('sent\n'),
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const said = await new Response(child.stdout).text()
  const { layers } = await attempt()

  if (layers.includes('files')) expect(said).toBe('sent\nend\n')
  else expect(said).toStartWith('sent\n')
})
