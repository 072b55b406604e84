import { SedgeConnectionError, SedgeError } from '../../client/client.ts'
import { type Command, CommandError, exitCodes, type Terminal, UsageError } from './command.ts'
import { printable } from './table.ts'

/** A person's mistake is answered with how to do it right; a fault of ours with its trace. Answers the exit code. */
export function sayError(thrown: unknown, command: Command, { error }: Terminal): number {
  if (isUsageError(thrown)) {
    error.write(`${thrown.message}\nsedge help ${command.name} tells more.\n`)
    return exitCodes.usage
  }
  if (thrown instanceof CommandError) {
    error.write(`${thrown.message}\n`)
    return thrown.exitCode
  }
  if (thrown instanceof SedgeConnectionError) {
    error.write(`${thrown.message}. ${whatToTry(thrown.message)}\n`)
    return exitCodes.unreachable
  }
  if (thrown instanceof SedgeError) return sayRefusal(thrown, error)
  error.write(`${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}\n`)
  return exitCodes.failed
}

const whatToTry = (message: string): string =>
  /\/\/(?:localhost|127\.|\[::1\])/u.test(message)
    ? 'Is it running? Start it with: npx sedge serve'
    : 'Is the URL right, and the service running?'

function sayRefusal(refusal: SedgeError, error: Terminal['error']): number {
  error.write(`${refusalText(refusal)}\n`)
  if (refusal.status >= 500 && refusal.requestId !== undefined)
    error.write(`Its log tells more: request ${printable(refusal.requestId)}\n`)
  return exitCodeOf(refusal)
}

/** The service's own words, every fault on a line, and what to do about it. */
export function refusalText({ status, message, details, retryAfterSeconds: seconds }: SedgeError) {
  const faults = details.flatMap((each) => each.message ?? []).filter((text) => text !== message)
  const hint = hints[status]
  const wait = seconds === undefined ? '' : `Try again in ${waitText(seconds)}`
  const all = [`The service refused (${status}): ${message}`, ...faults, hint ?? wait]
  return all
    .filter((line) => line !== '')
    .map(printable)
    .join('\n')
}

const hints: Readonly<Record<number, string>> = {
  401: 'Sign in with: sedge login. Or set SEDGE_TOKEN, or the keys of the service (ACCESS_KEY, ACCOUNT_KEY, …)',
  403: 'These credentials are good, but not for this. A token needs the scope; sedge token create makes one',
}

const waitText = (seconds: number): string =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`

function exitCodeOf({ status }: SedgeError): number {
  if (status === 401 || status === 403) return exitCodes.denied
  if (status === 404) return exitCodes.notFound
  return status === 503 ? exitCodes.unreachable : exitCodes.failed
}

/** Ours, and those of the parser of options. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError && String(Reflect.get(error, 'code')).startsWith('ERR_PARSE_ARGS'))
