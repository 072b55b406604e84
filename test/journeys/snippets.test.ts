import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { signatureHeaders } from '../../src/domain/webhooks/signature.ts'
import { codeBlocks } from '../support/code-blocks.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { go, have, type Need, openssl, python } from '../support/needs.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'

interface Language {
  /** As the fence of its block says. */
  readonly name: string
  readonly file: string
  readonly command: readonly string[]
  readonly needs: readonly Need[]
}

const languages: readonly Language[] = [
  { name: 'js', file: 'code.mjs', command: ['node'], needs: [] },
  { name: 'python', file: 'code.py', command: ['python3'], needs: [python] },
  { name: 'go', file: 'code.go', command: ['go', 'run'], needs: [go] },
  { name: 'sh', file: 'code.sh', command: ['sh'], needs: [openssl] },
]

const undo = new AsyncDisposableStack()
let directory: string
let service: InProcessService
const path = 'acme/v1/private/report.txt'

beforeAll(async () => {
  directory = undo.use(await temporaryDirectory()).path
  service = undo.use(await openInProcess())
  await service.createZone('acme')
  await service.storage('PUT', path, { body: 'for your eyes' })
}, 60_000)
afterAll(() => undo.disposeAsync())

interface Run {
  readonly page: string
  readonly language: Language
  readonly args?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly input?: string
}

/** What the page's program in that language prints; a command, or a call of the client, is none. */
async function outputOf({ page, language, args = [], environment, input = '' }: Run) {
  const block = (await codeBlocks(`docs/${page}`)).find(
    ({ language: name, code }) =>
      name === language.name && !/^(?:curl|npx)|from 'sedge'/u.test(code),
  )
  const file = join(directory, language.file)
  await Bun.write(file, block?.code ?? '')
  const child = Bun.spawn([...language.command, file, ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment },
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  expect({ exitCode: await child.exited, error }).toEqual({ exitCode: 0, error: '' })
  return out.trim()
}

for (const language of languages) {
  const isAble = have(`signing an address in ${language.name}`, ...language.needs)
  test.skipIf(!isAble)(
    `a URL that the ${language.name} of the documentation signs is good`,
    async () => {
      const url = await outputOf({
        page: 'signed-urls.md',
        language,
        args: [path, '600'],
        environment: { SIGNED_URL_SECRET: testKeys.SIGNED_URL_SECRET },
      })
      const response = await service.fetch(url)

      expect(response.status).toBe(200)
      expect(response.headers.get('x-signed-url')).toBe('verified')
      expect(await response.text()).toBe('for your eyes')
      expect((await service.fetch(url.replace('report', 'other'))).status).toBe(403)
    },
    120_000,
  )
}

test('the signatures that the documentation names are those of the service', async () => {
  const { countedText, plainText, sign } = await import('../../src/domain/access/signed-url.ts')
  const text = await Bun.file(join(import.meta.dir, '..', '..', 'docs', 'signed-urls.md')).text()
  for (const form of [plainText, countedText])
    expect(text).toContain(sign(form('/clients/akande/private.pdf', '1700000000'), 'topsecret'))
})

const secret = `whsec_${Buffer.from('a secret of thirty-two characters').toString('base64')}`

for (const language of languages.slice(0, 2)) {
  const isAble = have(`checking a webhook in ${language.name}`, ...language.needs)
  test.skipIf(!isAble)(
    `the ${language.name} of the documentation tells a genuine message from others`,
    async () => {
      const body = '{"event":"asset.created","data":{"path":"é"}}'
      const check = async (at: Date, input: string, key = secret) => {
        const headers = signatureHeaders({ id: 'msg_1', at, body, secrets: [secret] })
        const environment = { HEADERS: JSON.stringify(headers), WEBHOOK_SECRET: key }
        return (await outputOf({ page: 'webhooks.md', language, environment, input })).toLowerCase()
      }
      const now = new Date()

      expect(await check(now, body)).toBe('true')
      expect(await check(now, body.replace('created', 'deleted'))).toBe('false')
      expect(await check(new Date(now.getTime() - 3_600_000), body)).toBe('false')
      expect(await check(now, body, 'whsec_b3RoZXI=')).toBe('false')
    },
    60_000,
  )
}
