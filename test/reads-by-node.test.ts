import { expect, test } from 'bun:test'

import { createOperationFinder } from '../src/http/find-operation.ts'
import { allOperations } from '../src/planes/operations.ts'

/** Reads that the node that writes answers alone, by why. Of every other one any node has to say the truth. */
const ofTheWriter: Readonly<Record<string, string>> = {
  'bytes may have to be brought back from the repository': `getAssetVersionImage`,
  'what a preview would change is worked out by the node that writes to it': `listPreviews getPreview
    getPreviewDifferences`,
  'what only one node works at': `listDuplicates findSimilarAssets getSuggestions listFlaggedAssets
    getUpload getTusUpload listUploadGrants getArchive listErasures getErasure listBackups getBackup
    getBackupManifest listWebhooks getWebhook listWebhookDeliveries listNotifications getHealthParts
    getHealth getLimits getZoneQuotas listLogs getAnalytics listEdges getDeployment`,
  'who changes it wants it as it is now': `listTokens listPasskeys listSessions listPeople getSelf getPerson startOidc finishOidc leaveOidc`,
  'it goes on for ever': `watchAssets watchTraffic`,
  'it is the same everywhere, and comes with the pages': `searchDocumentation getOpenApiDocument`,
  'edges and nodes deliver it, or are told by it': `transformImage negotiateImage negotiateImageByPath
    getPicture getIiifImage getImageInfo getSigned getStream getThumbnails followFeed pollFeed getManifest
    getManifestPart getBlob getPictureFacts getSmallerCopy getStreamIndex listEdgeCertificates
    getEdgeCertificate`,
}

const ofAnyNode = allOperations.filter(({ answeredBy }) => answeredBy === 'any node')

test('of every read it is decided who answers it', () => {
  const named = Object.values(ofTheWriter).flatMap((ids) => ids.split(/\s+/u))
  const reads = allOperations.filter(({ method }) => method === 'get').map(({ id }) => id)
  expect([...named, ...ofAnyNode.map(({ id }) => id)].toSorted()).toEqual(reads.toSorted())
})

test('what any node answers changes nothing, and the documentation names it', async () => {
  const page = await Bun.file(new URL('../docs/scaling-out.md', import.meta.url)).text()
  expect(ofAnyNode.length).toBeGreaterThan(0)
  for (const { id, method } of ofAnyNode) {
    expect([id, method]).toEqual([id, 'get'])
    expect([id, page.includes(`\`${id}\``)]).toEqual([id, true])
  }
})

test('a request is found to be the operation that serves it', () => {
  const find = createOperationFinder(allOperations)
  const at = (method: string, path: string) =>
    find(new Request(`http://localhost${path}`, { method }))?.id
  expect(at('GET', '/api/assets?zone=acme')).toBe('listAssets')
  expect(at('HEAD', '/api/storage/acme/v1/%2F..%0a/logo.svg')).toBe('getFile')
  expect(at('GET', '/api/core/zones/acme/storage')).toBe('getZoneStorage')
  expect(at('GET', '/api/assets/history?path=acme')).toBe('getAssetHistory')
  expect(at('PUT', '/api/storage/acme/v1/logo.svg')).toBe('putFile')
  expect(at('OPTIONS', '/api/assets')).toBeUndefined()
  expect(at('GET', '/api/nothing')).toBeUndefined()
})
