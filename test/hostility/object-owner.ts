import { createHash } from 'node:crypto'

import type { Random } from '../support/random.ts'
import { stateOf } from '../support/ledger.ts'
import { textsIn } from '../support/xml-texts.ts'
import { randomNetworkPeer, type GotResponse, type GeneratedRequest } from './generated-requests.ts'
import type { Changes, LedgeredFiles, Outcome } from './ledgered-files.ts'
import type { OwnerPlace } from './owner-place.ts'
import { s3Statuses } from './s3-requests.ts'
import { encodedPath, forge, signRightly, type Unsigned } from './s3-signing.ts'

interface Parts {
  readonly path: string
  readonly id: string
  readonly bytes: Uint8Array<ArrayBuffer>
  etag?: string
}

interface Asking {
  readonly name: string
  readonly unsigned: Partial<Unsigned> & { readonly method: string }
  readonly changes: Changes
  /** It is to be refused whatever there is. */
  readonly isWrong?: boolean
  readonly onAnswer?: (answered: GotResponse) => readonly string[]
}

type Step = (paths: readonly string[], random: Random) => Asking

/** The owner's requests by S3. */
export function createObjectOwner(place: OwnerPlace, files: LedgeredFiles) {
  const { zone, origin, credentials, now, mark, caller, onUpload } = place
  const begun: Parts[] = []
  const at = (path: string) => encodedPath(`/${zone}/${path}`)
  const noted = { 'x-amz-meta-note': mark }

  const steps: readonly [Step, ...Step[]] = [
    ([path = ''], random) => {
      const bytes = random.bytes(random.integer(0, 900))
      const unsigned = { method: 'PUT', path: at(path), headers: noted, body: bytes }
      return { name: 'put', unsigned, changes: new Map([[path, bytes]]) }
    },
    ([path = ''], random) => {
      const bytes = random.bytes(random.integer(1, 300))
      const headers = { ...noted, ...random.pick(wrongFields) }
      const unsigned = { method: 'PUT', path: at(path), headers, body: bytes }
      return { name: 'put wrong', unsigned, changes: new Map([[path, bytes]]), isWrong: true }
    },
    ([path = '']) => ({
      name: 'get',
      unsigned: { method: 'GET', path: at(path) },
      changes: new Map(),
      onAnswer: ({ status, bytes }) => {
        const found = status === 404 ? 'absent' : stateOf(bytes)
        const isRight = status >= 500 || found === files.stateOf(path)
        return isRight ? [] : [`read ${found}, acknowledged is ${files.stateOf(path)}`]
      },
    }),
    ([path = '']) => ({
      name: 'delete',
      unsigned: { method: 'DELETE', path: at(path) },
      changes: new Map([[path, undefined]]),
    }),
    ([path = '', source = path]) => {
      const bytes = files.bytesOf(source)
      const headers = { 'x-amz-copy-source': at(source), 'x-amz-metadata-directive': 'REPLACE' }
      return {
        name: 'copy',
        unsigned: { method: 'PUT', path: at(path), headers: { ...headers, ...noted } },
        changes: new Map([[path, bytes]]),
        isWrong: bytes === undefined,
      }
    },
    (paths) => {
      const objects = paths.map((path) => `<Object><Key>${path}</Key></Object>`).join('')
      const body = `<Delete>${objects}</Delete>`
      const md5 = createHash('md5').update(body).digest('base64')
      return {
        name: 'delete many',
        unsigned: {
          method: 'POST',
          path: `/${zone}`,
          query: { delete: '' },
          headers: { 'content-md5': md5 },
          body,
        },
        changes: new Map(paths.map((path) => [path, undefined])),
      }
    },
    ([path = ''], random) => ({
      name: 'begin parts',
      unsigned: { method: 'POST', path: at(path), query: { uploads: '' }, headers: noted },
      changes: new Map(),
      onAnswer: ({ text }) => {
        const [id] = textsIn(text, 'UploadId')
        if (id === undefined) return []
        begun.push({ path, id, bytes: random.bytes(random.integer(1, 900)) })
        onUpload(id)
        return []
      },
    }),
  ]

  /** The next step of an upload in parts that was begun. */
  function goOn(parts: Parts, random: Random): Asking {
    const { path, id, bytes, etag } = parts
    if (etag === undefined)
      return {
        name: 'part',
        unsigned: {
          method: 'PUT',
          path: at(path),
          query: { uploadId: id, partNumber: '1' },
          body: bytes,
        },
        changes: new Map(),
        onAnswer: ({ status, headers }) => {
          if (status !== 200) return []
          begun.push({ ...parts, etag: headers.get('etag') ?? '' })
          return []
        },
      }
    const isWrong = random.next() < 0.2
    const said = isWrong ? `"${'0'.repeat(32)}"` : etag
    const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${said}</ETag></Part></CompleteMultipartUpload>`
    const unsigned = { method: 'POST', path: at(path), query: { uploadId: id }, body }
    return { name: 'complete', unsigned, changes: new Map([[path, bytes]]), isWrong }
  }

  function made(asking: Asking, random: Random, held: readonly string[]): GeneratedRequest {
    const { unsigned: given, changes } = asking
    const unsigned = { path: '/', query: {}, headers: {}, body: undefined, ...given }
    const isForged = random.next() < 0.08
    const signing = { origin, credentials: credentials(), now }
    files.ask(changes)
    const { body, method } = unsigned
    return {
      operation: { id: `s3 owner: ${asking.name}`, statuses: new Set(s3Statuses) },
      caller,
      method,
      ...(isForged ? forge(unsigned, signing, random) : signRightly(unsigned, signing)),
      body,
      address: randomNetworkPeer(random),
      onAnswer: (answered) => {
        const outcome = outcomeOf(answered, isForged)
        files.settle(changes, outcome)
        if (outcome !== 'unknown' || changes.size === 0) files.release(held)
        const mayBeDone = !isForged && asking.isWrong !== true
        if (outcome === 'done' && !mayBeDone) return ['was wrong and was taken']
        return isForged ? [] : (asking.onAnswer?.(answered) ?? [])
      },
    }
  }

  return {
    list: () => {
      const query = { 'list-type': '2', prefix: `${place.directory}/` }
      const asking = { name: 'list', unsigned: { method: 'GET', path: `/${zone}`, query } }
      const unsigned = { headers: {}, body: undefined, ...asking.unsigned }
      const sendable = signRightly(unsigned, { origin, credentials: credentials(), now })
      return { ...sendable, method: 'GET' }
    },
    generate(random: Random): GeneratedRequest | undefined {
      const next = random.next() < 0.4 ? begun.shift() : undefined
      if (next === undefined) {
        const held = files.hold(random.integer(1, 3), random)
        if (held.length === 0) return undefined
        const [path = '', other = path, ...more] = held
        const step = random.pick(steps)
        const asking = step([path, other, ...more], random)
        return made(asking, random, held)
      }
      if (next.etag !== undefined && !files.holdThis(next.path)) {
        begun.push(next)
        return undefined
      }
      return made(goOn(next, random), random, next.etag === undefined ? [] : [next.path])
    },
  }
}

/** Each says of a body what it cannot be. */
const wrongFields: readonly [Record<string, string>, ...Record<string, string>[]] = [
  { 'content-md5': Buffer.alloc(16).toString('base64') },
  { 'content-md5': 'no' },
  { 'x-amz-content-sha256': '0'.repeat(64) },
  { 'x-amz-checksum-sha256': Buffer.alloc(32).toString('base64') },
  { 'x-amz-checksum-crc32': 'no' },
  { 'if-match': '"0"' },
  {
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-decoded-content-length': '9',
  },
]

/** A refusal may stand in a document that was begun with 200. */
function outcomeOf({ status, text }: GotResponse, isForged: boolean): Outcome {
  if (status >= 500) return isForged ? 'refused' : 'unknown'
  return status >= 400 || text.includes('<Error>') ? 'refused' : 'done'
}
