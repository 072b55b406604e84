import { preferredEncoding } from '../../http/request/accept.ts'
import { rememberRecent } from '../../lib/collections/lru-cache.ts'
import type { Coding } from './encode.ts'

export type Choice = Coding | 'identity' | undefined

/** Chooses among codings for an Accept-Encoding field; `undefined` where nothing will do. */
export type ChooseCoding = (acceptEncoding: string | null) => Choice

/** Browsers send few different fields, so nearly every choice has been made before. */
const maxRemembered = 256

/** Answers with the chooser for a list of offered codings, in order of preference. */
export function createCodingChoosers(): (offered: readonly Coding[]) => ChooseCoding {
  const chooserByOffer = new Map<string, ChooseCoding>()
  return (offered) => {
    const offer = offered.join()
    const known = chooserByOffer.get(offer)
    if (known !== undefined) return known
    const chooser = rememberRecent<string | null, Choice>(
      (field) => preferredEncoding(field, offered),
      maxRemembered,
    )
    chooserByOffer.set(offer, chooser)
    return chooser
  }
}
