import type { Agent } from '../agent.ts'
import { scopesOf } from '../agent.ts'
import type { Operation } from '../../../http/operation.ts'
import { imageUrlTool } from './image-url.ts'
import { operationTool } from './operation-tool.ts'
import { readFileTool } from './read-file.ts'
import { appendUploadTool, beginUploadTool, storeFileTool } from './store-file.ts'
import type { Tool } from './tool.ts'

/** Everything that agents may do, in the order in which they read it. */
const allTools: readonly Tool[] = [
  operationTool({ id: 'search' }),
  operationTool({ id: 'listAssets', advice: 'Keep per_page small; 20 is enough to look around.' }),
  operationTool({ id: 'getAssetMetadata' }),
  operationTool({ id: 'describeAsset', writesTo: 'preview' }),
  readFileTool,
  storeFileTool,
  beginUploadTool,
  appendUploadTool,
  operationTool({ id: 'copyFiles', writesTo: 'preview' }),
  operationTool({ id: 'moveFiles', writesTo: 'preview', effect: 'destroys', asks: 'where live' }),
  operationTool({ id: 'deleteFiles', writesTo: 'preview', effect: 'destroys', asks: 'where live' }),
  imageUrlTool,
  operationTool({ id: 'signAsset', effect: 'reads' }),
  operationTool({ id: 'findSimilarAssets' }),
  operationTool({ id: 'getInsightsSummary' }),
  operationTool({ id: 'listLogs' }),
  operationTool({ id: 'explainRules' }),
  operationTool({ id: 'explainDraftRules', effect: 'reads' }),
  operationTool({ id: 'purge', effect: 'destroys', asks: 'always' }),
  operationTool({ id: 'getAssetHistory' }),
  operationTool({ id: 'getZoneHistory' }),
  operationTool({ id: 'restoreAsset', writesTo: 'live', effect: 'destroys', asks: 'always' }),
  operationTool({ id: 'undoCommit', writesTo: 'live', effect: 'destroys', asks: 'always' }),
  operationTool({ id: 'listZones' }),
  operationTool({ id: 'listDomains' }),
  operationTool({ id: 'listWebhooks' }),
  operationTool({ id: 'createPreview' }),
  operationTool({ id: 'getPreviewDifferences' }),
  operationTool({ id: 'promotePreview', effect: 'destroys', asks: 'always' }),
  operationTool({ id: 'searchDocumentation' }),
]

/** The tools that the agent's credential opens. What they may be used on is narrowed further. */
export const toolsOf = (agent: Agent): readonly Tool[] =>
  allTools.filter(({ operation }) => mayCall(operation, agent))

function mayCall({ access }: Operation, agent: Agent): boolean {
  if (access === 'public') return true
  const scopes = scopesOf(agent)
  if (scopes === undefined)
    return agent.credentials.some(
      (each) => each.kind === 'key' && access.keys.some((key) => each.keys.has(key)),
    )
  const { scope, orScopes = [], previewScope, ofPreviewScope } = access
  const enough = [scope, ...orScopes, previewScope?.name, ofPreviewScope]
  return enough.some((each) => each !== undefined && scopes.has(each))
}
