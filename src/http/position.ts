import { ServiceError } from '../domain/errors.ts'

/** What a response shows, as a number of the feed. */
export interface Positions {
  /** The number up to which responses show everything. */
  readonly newest: number
  /** For so long at most something may have been published that they do not show. */
  readonly behindMs: number
}

/** The number up to which a read shows everything; of a write, the one from which on it is shown. */
export const positionField = 'X-Sedge-Position'
const behindField = 'X-Sedge-Behind-Ms'
const wantedField = 'If-Position-At-Least'

const requestHeaders = {
  [wantedField]: `Only as of this number of the feed or later: the \`${positionField}\` of an own write`,
}
const responseHeaders = {
  [positionField]: 'The number of the feed up to which the response shows everything',
  [behindField]: 'For so many milliseconds at most something newer may have been published',
}

interface Described {
  readonly answeredBy?: 'any node'
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** The operation with what is told, and can be asked for, of what any node answers. */
export const withPositionFields = <Operation extends Described>(spec: Operation): Operation =>
  spec.answeredBy === undefined
    ? spec
    : {
        ...spec,
        requestHeaders: { ...spec.requestHeaders, ...requestHeaders },
        responseHeaders: { ...spec.responseHeaders, ...responseHeaders },
      }

const isPosition = (text: string): boolean => /^\d{1,15}$/u.test(text)

/** The number that a request wants to see at least; `undefined` too where it says none that could be one. */
export function wantedPosition({ headers }: Pick<Request, 'headers'>): number | undefined {
  const text = headers.get(wantedField)
  return text !== null && isPosition(text) ? Number(text) : undefined
}

/** Refuses a number that is not shown: where all is shown, nobody has been given it. */
export function requirePosition(request: Pick<Request, 'headers'>, { newest }: Positions): void {
  const text = request.headers.get(wantedField)
  if (text === null) return
  if (!isPosition(text))
    throw new ServiceError(
      'InvalidParameter',
      `${wantedField} must be a number that ${positionField} said`,
      { target: wantedField },
    )
  if (Number(text) > newest)
    throw new ServiceError(
      'PreconditionFailed',
      `nothing has been published under this number yet: the newest is ${newest}`,
      { target: wantedField },
    )
}

/** What a response says of itself. */
export const positionHeaders = ({ newest, behindMs }: Positions): Record<string, string> => ({
  [positionField]: String(newest),
  [behindField]: String(Math.ceil(behindMs)),
})
