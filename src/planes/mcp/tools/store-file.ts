import { operationOf } from '../invoke/operations-by-id.ts'
import { refusal, type Refusal } from '../invoke/refusal.ts'
import { outcomeOf, refusedResult } from './result.ts'
import { performAt, type Target, targetOf } from './target.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'
import { closed, outputSchemaOf } from './tool-schemas.ts'

/** As much as one call stores; more goes in pieces. */
const maxPieceBytes = 1024 * 1024

const where = {
  preview: {
    type: 'string',
    description:
      'The preview that is written to; left out: `agent`, which is made where it is not there',
  },
  live: {
    type: 'boolean',
    description: 'Write to what everybody sees; a token needs the scope agents:live for it',
  },
} as const
const content = {
  text: { type: 'string', description: 'The file as text' },
  base64: {
    type: 'string',
    description: 'The file in base64 (RFC 4648 §4); at most 1 MB of bytes',
  },
} as const
const path = { type: 'string', description: '`<zone>/v1/<category>/<file>`' } as const

const annotations = {
  readOnlyHint: false,
  // What was there stays in the history.
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

const putFile = operationOf('putFile')

/** A file in one call. */
export const storeFileTool: Tool = {
  name: 'store_file',
  title: 'Store a file',
  description:
    'A file of at most 1 MB, as text or base64; larger ones go by begin_upload and append_upload. It is written to a preview unless live is said. Scope of the token: storage:write, or previews:write for previews.',
  operation: putFile,
  input: closed({ path, ...content, ...where }, ['path']),
  output: outputSchemaOf(putFile),
  annotations,
  async run(call) {
    const bytes = bytesOf(call.input)
    if ('isRefused' in bytes) return refusedResult(bytes)
    const members = { path: call.input['path'] }
    return await writeAt(call, (target) =>
      performAt(target, { operation: putFile, input: { members, bytes } }, call),
    )
  },
}

async function writeAt(
  call: ToolCall,
  write: (target: Target) => ReturnType<typeof performAt>,
): Promise<ToolResult> {
  const target = targetOf(call.input, call.agent)
  return 'isRefused' in target ? refusedResult(target) : outcomeOf(await write(target))
}

const createUpload = operationOf('createUpload')

/** The first call of a file in pieces. */
export const beginUploadTool: Tool = {
  name: 'begin_upload',
  title: 'Begin a file that is sent in pieces',
  description:
    'For files of more than 1 MB: responds with the Id that append_upload takes. Nothing is stored until the last piece. Scope of the token: storage:write, or previews:write for previews.',
  operation: createUpload,
  input: closed({ path, ...where }, ['path']),
  output: outputSchemaOf(createUpload),
  annotations: { ...annotations, idempotentHint: false },
  async run(call) {
    const members = { path: call.input['path'] }
    const headers = { 'Upload-Complete': '?0', 'Upload-Draft-Interop-Version': '9' }
    const input = { members, bytes: new Uint8Array(), headers }
    return await writeAt(call, (target) =>
      performAt(target, { operation: createUpload, input }, call),
    )
  },
}

const appendUpload = operationOf('appendUpload')
const piece = closed(
  {
    id: { type: 'string', description: 'Of begin_upload' },
    offset: { type: 'integer', description: 'How many bytes were sent before' },
    last: { type: 'boolean', description: 'Whether the file is whole with this piece' },
    ...content,
  },
  ['id', 'offset'],
)
const state = {
  type: 'object',
  properties: {
    Id: { type: 'string' },
    Offset: { type: 'integer', description: 'How many bytes are there' },
    IsComplete: { type: 'boolean' },
  },
  required: ['Id', 'Offset', 'IsComplete'],
} as const

/** Another piece; with the last one the file is stored where the upload was begun for. */
export const appendUploadTool: Tool = {
  name: 'append_upload',
  title: 'Send a piece of a file',
  description:
    'At most 1 MB, as text or base64; with last the file is stored where begin_upload said. Scope of the token: storage:write, or previews:write for previews.',
  operation: appendUpload,
  input: piece,
  output: state,
  annotations: { ...annotations, idempotentHint: false },
  run: appendPiece,
}

async function appendPiece(call: ToolCall): Promise<ToolResult> {
  const { id, offset, last } = call.input
  const bytes = bytesOf(call.input)
  if ('isRefused' in bytes) return refusedResult(bytes)
  const input = {
    members: { id },
    bytes,
    headers: {
      'Content-Type': 'application/partial-upload',
      'Upload-Draft-Interop-Version': '9',
      'Upload-Offset': String(offset),
      'Upload-Complete': last === true ? '?1' : '?0',
    },
  }
  const outcome = await performAt({ kind: 'live' }, { operation: appendUpload, input }, call)
  if (outcome.isRefused || outcome.status !== 204) return outcomeOf(outcome)
  const body = { Id: String(id), Offset: Number(offset) + bytes.length, IsComplete: false }
  return outcomeOf({ ...outcome, body })
}

const base64Pattern = /^[A-Za-z0-9+/]*={0,2}$/u

/** Of text or base64, whichever was given; exactly one of them has to be. */
function bytesOf({ text, base64 }: ToolCall['input']): Uint8Array | Refusal {
  if ((typeof text === 'string') === (typeof base64 === 'string'))
    return refusal(400, 'InvalidParameter', 'exactly one of text and base64 must be there')
  if (typeof base64 === 'string' && !base64Pattern.test(base64))
    return refusal(400, 'InvalidParameter', 'base64 must be base64 (RFC 4648 §4), without blanks')
  const bytes = Buffer.from(String(text ?? base64), typeof text === 'string' ? 'utf8' : 'base64')
  return bytes.length <= maxPieceBytes
    ? bytes
    : refusal(413, 'PayloadTooLarge', 'at most 1 MB at once; use begin_upload and append_upload')
}
