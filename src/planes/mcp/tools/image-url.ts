import { type Agent, zonesOf } from '../agent.ts'
import { operationRequest, textOf } from '../invoke/operation-request.ts'
import { operationOf } from '../invoke/operations-by-id.ts'
import { refusal, refusalOf } from '../invoke/refusal.ts'
import { refusedResult, resultOf } from './result.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'
import { closed, inputSchemaOf } from './tool-schemas.ts'

const operation = operationOf('transformImage')
const { properties = {} } = inputSchemaOf(operation, { without: ['url', 'v'] })
/** What pages are usually made with; `getPicture` and the documentation have the rest. */
const offered = [
  'w',
  'h',
  'dpr',
  'fit',
  'gravity',
  'crop',
  'ar',
  'q',
  'bg',
  'blur',
  'rotate',
  't',
] as const
const formats = ['auto', 'jpg', 'png', 'webp', 'avif'] as const

/** The URL at which an image is had in a size and format, once it was made there. */
export const imageUrlTool: Tool = {
  name: 'image_url',
  title: 'The URL of an image in a size and format',
  description:
    'Makes the image and says its URL, type and size. Call it once for each size. Anybody may fetch the URL, unless the file is private: then use sign_asset.',
  operation,
  input: closed(
    {
      path: { type: 'string', description: 'The image: `<zone>/v1/…`' },
      preview: { type: 'string', description: 'The preview that the image is in' },
      format: { type: 'string', enum: formats } as object,
      ...Object.fromEntries(
        offered.flatMap((name) => (properties[name] ? [[name, properties[name]]] : [])),
      ),
    },
    ['path'],
  ),
  output: {
    type: 'object',
    properties: {
      Url: { type: 'string' },
      ContentType: { type: 'string' },
      Size: { type: 'integer', description: 'Bytes' },
    },
    required: ['Url', 'ContentType', 'Size'],
  },
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  run: makeImage,
}

async function makeImage({ input, agent, send, signal }: ToolCall): Promise<ToolResult> {
  const { path, preview, ...options } = input
  const clean = textOf(path).replace(/^\/?(?:clients\/)?/u, '')
  // Anybody may fetch what is public; an agent is told of its own zones alone.
  if (!isReached(clean, agent))
    return refusedResult(refusal(404, 'AssetNotFound', 'there is no such image'))
  const [zone = '', ...rest] = clean.split('/')
  const url =
    preview === undefined ? `/${clean}` : `/${zone}/@~${textOf(preview)}/${rest.join('/')}`
  const request = operationRequest(operation, { members: { ...options, url } }, { agent, signal })
  if ('isRefused' in request) return refusedResult(request)
  const response = await send(request, agent.peerAddress)
  if (!response.ok) return refusedResult(await refusalOf(response))
  const bytes = await response.bytes()
  const mediaType = response.headers.get('content-type') ?? ''
  if (!mediaType.startsWith('image/'))
    return refusedResult(refusal(422, 'UnprocessableEntity', 'that is no image'))
  return resultOf({
    Url: agent.baseUrl + request.url.slice(agent.origin.length),
    ContentType: mediaType,
    Size: bytes.length,
  })
}

/** Also where a path leads elsewhere only once it is decoded. */
function isReached(path: string, agent: Agent): boolean {
  const zones = zonesOf(agent)
  if (zones === undefined) return true
  const segments = decoded(path).split(/[/\\]/u)
  const isPlain = segments.every((each) => each !== '.' && each !== '..' && !/\p{C}/u.test(each))
  return isPlain && zones.has(segments[0] ?? '')
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
