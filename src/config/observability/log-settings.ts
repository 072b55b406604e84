import { logLevels } from '../../lib/log-levels.ts'
import { oneOf, optional, setting, wholeNumber } from '../setting.ts'

/** What is logged, what is kept of each request, and for how long. */
export const logSettings = {
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    `The least that is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}`,
    oneOf(logLevels),
  ),
  turnLimitMs: setting(
    'TURN_LIMIT_MS',
    '',
    'Warn of each turn of the event loop in which its thread computed for longer than so many milliseconds, with the requests that were under way. It is looked for twenty times in each such stretch: for tests, and for who looks for what holds others up',
    optional(wholeNumber(1, 60_000)),
  ),
  requestLogMb: setting(
    'REQUEST_LOG_MB',
    '256',
    'Megabytes in `DATA_DIR/logs` for a line of each request: half for what was delivered, a fifth each for faults of the service and for refusals, a tenth for missing paths; the oldest go first. 0 keeps none',
    wholeNumber(0, 1_000_000),
  ),
  requestLogDays: setting(
    'REQUEST_LOG_DAYS',
    '7',
    'Days after which such lines are forgotten, where there is room for so many',
    wholeNumber(1, 90),
  ),
  requestLogPerSecond: setting(
    'REQUEST_LOG_PER_SECOND',
    '1000',
    'Lines that each process keeps in a second of each of these four kinds; requests beyond are counted alone',
    wholeNumber(0, 100_000),
  ),
  requestLogSample: setting(
    'REQUEST_LOG_SAMPLE',
    '1',
    'Of what is delivered, one request in so many has a line; of errors each has',
    wholeNumber(1, 1_000_000),
  ),
  requestLogNetworks: setting(
    'REQUEST_LOG_NETWORKS',
    'true',
    'Whether such a line has the network of the client (an IPv4 /24, an IPv6 /48); its address is never kept there',
    (text) => oneOf(['true', 'false'])(text) === 'true',
  ),
} as const
