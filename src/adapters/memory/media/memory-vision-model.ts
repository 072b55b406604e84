import type { Sighting } from '../../../ports/records/vision/sighting.ts'
import {
  type SightingRequest,
  UnusableSightingError,
  type VisionModel,
  VisionModelUnavailableError,
} from '../../../ports/vision/vision-model.ts'

type Respond = (
  request: SightingRequest,
) => Sighting | 'prose' | 'unavailable' | { readonly retryAfterMs: number }

/** A VisionModel for tests: it sees what it is told. */
export class MemoryVisionModel implements VisionModel {
  /** What it was asked to look at. */
  readonly requests: SightingRequest[] = []
  readonly #respond: Respond

  constructor(respond: Respond) {
    this.#respond = respond
  }

  async look(request: SightingRequest): Promise<Sighting> {
    if (request.signal.aborted) throw new VisionModelUnavailableError('nobody wants it any more')
    this.requests.push(request)
    const reply = this.#respond(request)
    if (reply === 'prose') throw new UnusableSightingError('prose')
    if (reply === 'unavailable') throw new VisionModelUnavailableError('there is no model')
    if ('retryAfterMs' in reply) throw new VisionModelUnavailableError('asked to wait', reply)
    return reply
  }
}
