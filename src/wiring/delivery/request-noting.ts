import type { Config } from '../../config/config.ts'
import { createRequestTap, type RequestNoting } from '../../edge/hits/request-tap.ts'
import { createRequestFacts } from '../../http/observed/request-facts.ts'
import { createClientOf } from './asset-edge.ts'

/** How much is noted of requests, and what. */
export type NotingSettings = Pick<
  Config,
  | 'trustedProxies'
  | 'requestLogMb'
  | 'requestLogPerSecond'
  | 'requestLogSample'
  | 'requestLogNetworks'
>

const monotonicMs = () => performance.now()

/** What notes a line for each request of a process, until somebody takes them away. */
export function openNoting(settings: NotingSettings): RequestNoting {
  return {
    tap: createRequestTap({
      perSecond: settings.requestLogMb === 0 ? 0 : settings.requestLogPerSecond,
      sampleEvery: settings.requestLogSample,
      monotonicMs,
    }),
    factsOf: createRequestFacts({
      clientOf: createClientOf(settings),
      keepsNetworks: settings.requestLogNetworks,
    }),
    now: () => Date.now(),
    monotonicMs,
  }
}
