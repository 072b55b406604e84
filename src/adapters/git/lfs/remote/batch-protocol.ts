import type { BlobRef } from '../../../../ports/content/blob-store.ts'

/** https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md */
export const lfsMediaType = 'application/vnd.git-lfs+json'
/** As many as stock git-lfs asks for at once. */
export const objectsPerBatch = 100

export type LfsOperation = 'upload' | 'download'

/** What is to be requested for an object. */
export interface LfsAction {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

export interface BatchObject {
  readonly ref: BlobRef
  /** What keeps the object from being transferred. */
  readonly why: string | undefined
  readonly actions: ReadonlyMap<string, LfsAction>
  /** Whether requests need no credentials of ours. */
  readonly isAuthenticated: boolean
}

export const batchRequest = (operation: LfsOperation, refs: readonly BlobRef[]): string =>
  JSON.stringify({
    operation,
    transfers: ['basic'],
    hash_algo: 'sha256',
    objects: refs.map(({ sha256, sizeBytes }) => ({ oid: sha256, size: sizeBytes })),
  })

/**
 * What a server says to each of the objects that it was asked about. Rejects what is no such response; of
 * objects that it does not mention it is said that it does not.
 */
export function parseBatch(text: string, refs: readonly BlobRef[]): readonly BatchObject[] {
  const body = recordOf(JSON.parse(text))
  if (!Array.isArray(body['objects']) || ![undefined, 'basic'].includes(stringOf(body['transfer'])))
    throw new Error('it is no response of the batch API with basic transfers')
  const saidByOid = new Map<string, Readonly<Record<string, unknown>>>()
  for (const object of body['objects']) {
    const said = recordOf(object)
    saidByOid.set(stringOf(said['oid']) ?? '', said)
  }
  return refs.map((ref) => objectOf(ref, saidByOid.get(ref.sha256)))
}

function objectOf(ref: BlobRef, said: Readonly<Record<string, unknown>> | undefined): BatchObject {
  const why = said === undefined ? 'the remote says nothing of it' : reasonOf(said['error'])
  const actions = new Map<string, LfsAction>()
  for (const [name, action] of Object.entries(recordOf(said?.['actions'])))
    actions.set(name, actionOf(recordOf(action)))
  return { ref, why, actions, isAuthenticated: said?.['authenticated'] === true }
}

function reasonOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined
  const { code, message } = recordOf(error)
  return `the remote says ${wordOf(code)}: ${wordOf(message)}`
}

/** What a client decides itself. */
const ownFields = new Set(['connection', 'content-length', 'host', 'transfer-encoding'])
const mostFields = 50

function actionOf(action: Readonly<Record<string, unknown>>): LfsAction {
  const url = URL.parse(stringOf(action['href']) ?? '')
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('it names what is no URL to transfer to')
  return { url, headers: fieldsOf(action['header']) }
}

/** The header fields that a server wants to be sent, but for those that a client decides itself. */
export function fieldsOf(header: unknown): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(recordOf(header)).slice(0, mostFields))
    if (typeof value === 'string' && !ownFields.has(name.toLowerCase())) headers[name] = value
  return headers
}

/** Whatever stands there: only texts and numbers are shown, for no other value need have a text. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : 'nothing'

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
