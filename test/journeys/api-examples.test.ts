import { afterAll, beforeAll, expect, test } from 'bun:test'

import {
  describedOperations,
  type DescribedOperation,
  exampleUrlOf,
} from '../support/described-operations.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { testKeys } from '../support/service-process.ts'

/** These need an id, a commit or a signature that only a running service can give, or a browser. */
const withoutExample = new Set(
  [
    'getAssetVersion getAssetVersionImage restoreAsset revokeToken rotateToken completePasskeyRegistration completePasskeyAuthentication',
    'getPerson updatePerson removePerson renewInvitation revokeInvitation beginInvitation completeInvitation',
    'undoCommit getArchive removePasskey endSession signIn getWebhook updateWebhook deleteWebhook testWebhook',
    'listWebhookDeliveries redeliverWebhook getDeployment restoreZone getRuleVersion',
    'getUpload headUpload appendUpload cancelUpload getErasure',
    'createBackup getBackup getBackupManifest verifyBackup deleteBackup',
    // Its clients send more than a body.
    'createTusUpload getTusUpload headTusUpload appendTusUpload terminateTusUpload',
    // With a grant alone.
    'revokeUploadGrant putGrantedFile postGrantedForm',
    // A tar archive is no text.
    'putArchive',
    // For edges, which know what to ask.
    'followFeed pollFeed getManifest getManifestPart getBlob acknowledgeFeed reportTraffic leaseQuota',
    'listEdgeCertificates getEdgeCertificate getPictureFacts getSmallerCopy getStreamIndex findPast',
    // Nothing in them is required, and without anything they are refused.
    'getSigned getStream getThumbnails revokeTokenByQuery removePasskeyByQuery endSessionByQuery deleteWebhookByQuery',
    // Only for who has a session.
    'listSessions signOut startOidc finishOidc leaveOidc',
  ].flatMap((line) => line.split(' ')),
)

/** What the others go on from, and what takes it away again. */
const first = [
  'createZone',
  'putFile',
  'putFiles',
  'copyFiles',
  'moveFiles',
  'addDomain',
  'createPreview',
]
const last = ['deletePreview', 'deleteFile', 'deleteFiles', 'removeDomain', 'deleteZone']

const undo = new AsyncDisposableStack()
let service: InProcessService
let rows: readonly DescribedOperation[]

beforeAll(async () => {
  service = undo.use(await openInProcess({ environment: { BASE_URL: 'http://localhost:8788' } }))
  rows = await describedOperations((path) => service.fetch(path))
}, 30_000)
afterAll(() => undo.disposeAsync())

const keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AccessKey: { AccessKey: testKeys.ACCESS_KEY },
  AccountKey: { AccountKey: testKeys.ACCOUNT_KEY },
  PurgeKey: { 'x-api-key': testKeys.PURGE_KEY },
  AnalyticsKey: { 'x-api-key': testKeys.ANALYTICS_KEY },
}

const rank = ({ operationId }: DescribedOperation): number =>
  first.includes(operationId)
    ? first.indexOf(operationId)
    : first.length + 1 + last.indexOf(operationId)

const asText = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

function requestOf({ method, requestBody, security }: DescribedOperation): RequestInit {
  const contents = Object.entries(requestBody?.content ?? {})
  const [type, sent] = contents.find(([, { example }]) => example !== undefined) ?? []
  const [key] = Object.keys(security[0] ?? {}).map((name) => keys[name])
  return {
    method: method.toUpperCase(),
    headers: { ...key, ...(type !== undefined && { 'Content-Type': type }) },
    ...(sent !== undefined && { body: asText(sent.example) }),
  }
}

async function send(row: DescribedOperation) {
  const abort = new AbortController()
  const request = { ...requestOf(row), signal: abort.signal }
  const response = await service.fetch(exampleUrlOf(row), request)
  const isEndless = response.headers.get('content-type')?.startsWith('text/event-stream')
  const text = isEndless === true ? '' : await response.text()
  abort.abort()
  return { status: response.status, text }
}

test('every operation has an example that works, or is known to have none', async () => {
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b))) {
    const { operationId } = row
    if (withoutExample.has(operationId)) continue
    const { status, text } = await send(row)
    const works = status >= 200 && status < 300
    expect({ operationId, works, said: works ? '' : text.slice(0, 300) }).toEqual({
      operationId,
      works: true,
      said: '',
    })
  }
}, 60_000)

test('whatever is required has an example', () => {
  for (const { operationId, parameters = [], requestBody } of rows) {
    if (withoutExample.has(operationId)) continue
    const missing = parameters.filter(({ required, example }) => required && example === undefined)
    const hasBody = Object.values(requestBody?.content ?? {}).some(
      ({ example }) => example !== undefined,
    )
    expect({ operationId, missing }).toEqual({ operationId, missing: [] })
    expect({ operationId, hasBody }).toEqual({ operationId, hasBody: requestBody !== undefined })
  }
})
