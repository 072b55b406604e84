import { SedgeConnectionError, SedgeError } from './errors.ts'
import { errorCodes } from './operations.ts'

interface RefusedLine {
  readonly Path: string
  readonly Outcome: 'refused'
  readonly HttpCode: number
  readonly Code: string
  readonly Message: string
}

interface EndLine {
  readonly HttpCode: number
  readonly Message: string
  readonly Code: string | null
}

type Line = RefusedLine | { readonly Path: string; readonly Outcome: string } | EndLine

/**
 * What was refused of an archive, by path as the service tells it: `clients/…`, where it is one of a file. Throws where
 * the archive was not taken to its end.
 */
export function refusalsOf(text: string): ReadonlyMap<string, SedgeError> {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [parsed(line)]))
  const end = lines.pop()
  if (end === undefined || 'Outcome' in end || !('Code' in end))
    throw new SedgeConnectionError('The response to an archive broke off')
  if (end.Code !== null) throw errorOf({ ...end, Code: end.Code })
  const refused = lines.filter((line) => 'Outcome' in line && line.Outcome === 'refused')
  return new Map((refused as readonly RefusedLine[]).map((line) => [line.Path, errorOf(line)]))
}

function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line
  } catch (cause) {
    throw new SedgeConnectionError('The response to an archive broke off', { cause })
  }
}

const errorOf = (line: Omit<RefusedLine, 'Path' | 'Outcome'>): SedgeError =>
  new SedgeError({
    status: line.HttpCode,
    code: errorCodes.find((code) => code === line.Code) ?? 'Unknown',
    message: line.Message,
    target: undefined,
    details: [],
    requestId: undefined,
    retryAfterSeconds: undefined,
    body: { ...line },
  })
