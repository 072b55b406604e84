import type { Random } from '../support/random.ts'
import { randomNetworkPeer, type GotResponse, type GeneratedRequest } from './generated-requests.ts'
import { documentedOperations } from './documented-operations.ts'
import type { LedgeredFiles } from './ledgered-files.ts'
import type { OwnerPlace } from './owner-place.ts'

interface Upload {
  readonly target: string
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** As it was acknowledged; `undefined` after an answer that says nothing of it. */
  offset: number | undefined
}

interface Asking {
  readonly id: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  readonly onAnswer: (answered: GotResponse) => readonly string[]
}

const base = '/api/uploads/tus'
const pieceType = { 'Content-Type': 'application/offset+octet-stream' }
const statusesById = new Map(documentedOperations().map(({ id, statuses }) => [id, statuses]))

/** The owner's requests by tus: a file at a time in pieces, now and then with what is not so. */
export function createUploadOwner(
  { zone, caller, mark, onUpload }: OwnerPlace,
  files: LedgeredFiles,
) {
  const idle: Upload[] = []
  const note = Buffer.from(mark).toString('base64')

  function begin(random: Random): Asking | undefined {
    const [path] = files.hold(1, random)
    if (path === undefined) return undefined
    files.release([path])
    const bytes = random.bytes(random.integer(1, 900))
    const isWrong = random.next() < 0.2
    const length = isWrong ? random.pick(wrongLengths) : String(bytes.length)
    const name = Buffer.from(`${zone}/v1/${path}`).toString('base64')
    return {
      id: 'createTusUpload',
      method: 'POST',
      target: base,
      headers: { 'Upload-Length': length, 'Upload-Metadata': `path ${name},note ${note}` },
      onAnswer({ status, headers }) {
        if (status !== 201) return isWrong || status >= 500 ? [] : ['did not begin']
        if (isWrong) return ['was wrong and was taken']
        const { pathname } = new URL(headers.get('location') ?? '', 'http://service')
        idle.push({ target: pathname, path, bytes, offset: 0 })
        onUpload(pathname.slice(base.length + 1))
        return []
      },
    }
  }

  /** Looks how far it is, and holds that against what was acknowledged. */
  const look = (upload: Upload): Asking => ({
    id: 'headTusUpload',
    method: 'HEAD',
    target: upload.target,
    headers: {},
    onAnswer({ status, headers }) {
      if (status !== 200) return gone(status)
      const offset = Number(headers.get('upload-offset'))
      const isRight = upload.offset === undefined || upload.offset === offset
      if (offset < upload.bytes.length) idle.push({ ...upload, offset })
      return isRight ? [] : [`is at ${offset}, acknowledged is ${upload.offset}`]
    },
  })

  function send(upload: Upload, random: Random): Asking {
    const { bytes, path, offset = 0 } = upload
    const end = Math.min(bytes.length, offset + random.integer(0, 600))
    const changes = new Map(end === bytes.length ? [[path, bytes] as const] : [])
    files.ask(changes)
    return {
      id: 'appendTusUpload',
      method: 'PATCH',
      target: upload.target,
      headers: { ...pieceType, 'Upload-Offset': String(offset) },
      body: bytes.slice(offset, end),
      onAnswer({ status, headers }) {
        const isTaken = status === 204
        if (status < 500) files.release([path])
        files.settle(changes, status >= 500 ? 'unknown' : isTaken ? 'done' : 'refused')
        if (!isTaken) {
          if (status !== 404 && status !== 410) idle.push({ ...upload, offset: undefined })
          return gone(status)
        }
        if (Number(headers.get('upload-offset')) !== end) return [`did not take all to ${end}`]
        if (end < bytes.length) idle.push({ ...upload, offset: end })
        return []
      },
    }
  }

  /** A piece that does not follow, or is said to be another one. */
  function sendWrongly(upload: Upload, random: Random): Asking {
    const { bytes, offset = 0, target } = upload
    const headers = random.pick(wrongPieces)(offset)
    return {
      id: 'appendTusUpload',
      method: 'PATCH',
      target,
      headers: { ...pieceType, 'Upload-Offset': String(offset), ...headers },
      body: bytes.slice(offset, offset + 1),
      onAnswer({ status }) {
        if (status !== 404 && status !== 410) idle.push({ ...upload, offset })
        return status < 400 ? ['was wrong and was taken'] : gone(status)
      },
    }
  }

  const giveUp = ({ target }: Upload): Asking => ({
    id: 'terminateTusUpload',
    method: 'DELETE',
    target,
    headers: {},
    onAnswer: ({ status }) => (status < 300 ? [] : gone(status)),
  })

  function goOn(upload: Upload, random: Random): Asking | undefined {
    const chance = random.next()
    if (upload.offset === undefined || chance < 0.2) return look(upload)
    if (chance < 0.35) return sendWrongly(upload, random)
    if (chance < 0.4) return giveUp(upload)
    if (files.holdThis(upload.path)) return send(upload, random)
    idle.push(upload)
    return undefined
  }

  return {
    generate(random: Random): GeneratedRequest | undefined {
      const upload = random.next() < 0.75 ? idle.shift() : undefined
      const asking = upload === undefined ? begin(random) : goOn(upload, random)
      if (asking === undefined) return undefined
      const { id, method, target, headers, body, onAnswer } = asking
      return {
        operation: { id, statuses: statusesById.get(id) ?? new Set() },
        caller,
        method,
        target,
        headers: { ...caller.headers, 'Tus-Resumable': '1.0.0', ...headers },
        body,
        address: randomNetworkPeer(random),
        onAnswer,
      }
    },
  }
}

/** An upload that nobody gave up may end by time alone, or with the work put off. */
const gone = (status: number): readonly string[] =>
  status === 401 || status === 403 ? [`was refused to its owner with ${status}`] : []

const wrongLengths: readonly [string, ...string[]] = [
  '-1',
  '1.5',
  '9'.repeat(17),
  '9007199254740991',
  'NaN',
  '0x10',
  '1, 2',
]

type Wrong = (offset: number) => Readonly<Record<string, string>>
const wrongPieces: readonly [Wrong, ...Wrong[]] = [
  (offset) => ({ 'Upload-Offset': String(offset + 1) }),
  () => ({ 'Upload-Offset': '-1' }),
  () => ({ 'Upload-Offset': '9'.repeat(16) }),
  () => ({ 'Content-Type': 'text/plain' }),
  () => ({ 'Tus-Resumable': '0.2.2' }),
  () => ({ 'Upload-Checksum': `sha1 ${Buffer.alloc(20).toString('base64')}` }),
  () => ({ 'Upload-Checksum': 'md4 AAAA' }),
]
