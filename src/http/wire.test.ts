import { connect } from 'node:net'
import { afterAll, expect, test } from 'bun:test'
import { success, uncheckedApp, testEndpoint, testKeys } from './testing.ts'

const maxBytes = 26_214_400
const tooMany = 27_000_000

const app = uncheckedApp([
  testEndpoint({
    id: 'putFile',
    plane: 'storage',
    method: 'put',
    path: '/api/storage/{path}',
    summary: '',
    access: { keys: ['access'] },
    envelope: 'standard',
    body: { kind: 'bytes', maxBytes, description: '' },
    responses: {},
    async handle({ body }) {
      let length = 0
      for await (const chunk of body) length += chunk.byteLength
      return success(201, 'stored', { Length: length })
    },
  }),
])
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  maxRequestBodySize: 200 * 1024 * 1024,
  fetch: (request) => app.fetch(request, '127.0.0.1'),
})
afterAll(() => server.stop(true))

interface Upload {
  readonly head: string
  readonly isChunked: boolean
  /** Whether the client reads nothing before it has written everything, as many simple ones do. */
  readonly isDeaf: boolean
}

/** Everything the server says to an upload of too many bytes, up to the end of the first answer. */
function upload({ head, isChunked, isDeaf }: Upload): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port ?? 0, '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += String(data)
      if (/\r\n\r\n\{.*\}$/su.test(answer)) socket.destroy()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)))
    if (isDeaf) socket.pause()
    const piece = Buffer.alloc(1_000_000, 'x')
    const frame = isChunked
      ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
      : piece
    socket.write(`PUT /api/storage/big HTTP/1.1\r\nHost: sedge.test\r\n${head}\r\n\r\n`)
    let left = tooMany / piece.length
    const writeMore = () => {
      while (left > 0) {
        left -= 1
        if (!socket.write(frame)) {
          socket.once('drain', writeMore)
          return
        }
      }
      if (isChunked) socket.write('0\r\n\r\n')
      socket.resume()
    }
    writeMore()
  })
}

const withKey = `AccessKey: ${testKeys.access}`

for (const isDeaf of [false, true])
  for (const isChunked of [false, true]) {
    const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${tooMany}`
    const kind = `${isChunked ? 'chunked' : 'announced'} upload${isDeaf ? ' by a client that only writes' : ''}`
    test(`an oversized ${kind} sees its 413`, async () => {
      const answer = await upload({ head: `${withKey}\r\n${length}`, isChunked, isDeaf })
      expect(answer).toStartWith('HTTP/1.1 413 ')
      expect(answer).toContain(`"MaxSize":${maxBytes}`)
    }, 20_000)
    test(`an unauthorised ${kind} sees its 401`, async () => {
      const answer = await upload({ head: length, isChunked, isDeaf })
      expect(answer).toStartWith('HTTP/1.1 401 ')
    }, 20_000)
  }

test('a client that waits for 100 Continue gets the 413 without sending a byte', async () => {
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(server.port ?? 0, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += String(data)
      if (text.endsWith('}')) socket.destroy()
    })
    socket.on('close', () => resolve(text))
    socket.write(
      `PUT /api/storage/big HTTP/1.1\r\nHost: sedge.test\r\n${withKey}\r\nContent-Length: ${tooMany}\r\nExpect: 100-continue\r\n\r\n`,
    )
  })
  expect(answer).toContain('HTTP/1.1 413 ')
})
