import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'

import { type Agent, agentOf } from './agent.ts'
import { operationOf } from './invoke/operations-by-id.ts'
import { type Asking, perform, type Send } from './invoke/perform.ts'
import type { Refusal } from './invoke/refusal.ts'
import { isText, readFile } from './tools/read-file.ts'
import { visibleJson } from './visible-json.ts'

const scheme = 'sedge://'
const maxUriLength = 4096

/** Stored files as resources: `sedge://<zone>/v1/…`, and folders of them with a slash at the end. */
export function registerResources(server: McpServer, send: Send): void {
  const asking = (agent: Agent, signal: AbortSignal) => ({ agent, send, signal })
  const template = new ResourceTemplate(`${scheme}{zone}/{+path}`, {
    list: async ({ http, mcpReq }) => ({
      resources: (await zonesOf(asking(agentOf(http?.authInfo), mcpReq.signal))).map((zone) => ({
        uri: `${scheme}${zone}/v1/`,
        name: zone,
        title: `The files of the zone ${zone}`,
        mimeType: 'application/json',
      })),
    }),
  })
  server.registerResource(
    'file',
    template,
    {
      title: 'A stored file',
      description:
        'The bytes of a file, or the list of a folder. An image of more than 1 MB is shown smaller.',
    },
    async (uri, _, { http, mcpReq }) =>
      await readResource(uri.href, asking(agentOf(http?.authInfo), mcpReq.signal)),
  )
}

async function zonesOf(asking: Asking): Promise<readonly string[]> {
  const outcome = await perform(operationOf('listFolders'), { members: { limit: 200 } }, asking)
  if (outcome.isRefused) return []
  return (outcome.body['Data'] as readonly { readonly Name: string }[]).map(({ Name }) => Name)
}

async function readResource(uri: string, asking: Asking): Promise<ReadResourceResult> {
  const path = pathOf(uri)
  if (path.endsWith('/')) return await readFolder(uri, path, asking)
  const file = await readFile({ path }, asking)
  if ('isRefused' in file) throw refused(uri, file)
  const { bytes, mediaType } = file
  const content = isText(mediaType)
    ? { text: new TextDecoder().decode(bytes) }
    : { blob: Buffer.from(bytes).toString('base64') }
  return { contents: [{ uri, mimeType: mediaType, ...content }] }
}

async function readFolder(uri: string, path: string, asking: Asking): Promise<ReadResourceResult> {
  const members = { path: path.slice(0, -1) }
  const [folders, files] = await Promise.all([
    perform(operationOf('listFolders'), { members }, asking),
    perform(
      operationOf('listAssets'),
      { members: { folder: members.path, direct: true, per_page: 100 } },
      asking,
    ),
  ])
  if (folders.isRefused) throw refused(uri, folders)
  if (files.isRefused) throw refused(uri, files)
  const text = visibleJson({ Folders: folders.body['Data'], Files: files.body['Data'] })
  return { contents: [{ uri, mimeType: 'application/json', text }] }
}

function pathOf(uri: string): string {
  if (uri.length > maxUriLength) throw invalidUri('must be shorter')
  try {
    return decodeURIComponent(uri.slice(scheme.length))
  } catch {
    throw invalidUri('must be percent-encoded UTF-8')
  }
}

const invalidUri = (reason: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `the URI ${reason}`)

/** Whether a file is there is no business of who may not see it: both are not found. */
function refused(uri: string, { status, message }: Refusal): Error {
  if (status === 404 || status === 403) return new ResourceNotFoundError(uri)
  return new ProtocolError(ProtocolErrorCode.InvalidParams, visibleJson(message))
}
