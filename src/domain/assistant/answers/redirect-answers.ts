import { checkRules } from '../../content/rules/check-rules.ts'
import { type Draft, draftOf } from '../knowledge/draft.ts'
import type { Order } from '../question/orders.ts'
import { quoted } from '../question/quoted-text.ts'

type RedirectOrder = Extract<Order, { readonly verb: 'redirect' }>
type IsOpen = (zone: string) => boolean

/** A line for `_redirects`, of the zone that it is all about, or why there can be none. */
export function redirectDraft(order: RedirectOrder, isOpen: IsOpen): Draft {
  const source = placeOf(order.from, isOpen)
  const target = placeOf(order.to, isOpen)
  const zone = order.zone ?? source.zone
  if (zone !== undefined && !isOpen(zone))
    return refusal(`There is no zone ${quoted(zone)} that I know of.`)
  if (source.whole === target.whole) return refusal('That redirect would lead to itself.')
  const isOwn = zone !== undefined && isWithin(source, zone) && isWithin(target, zone)
  const [from, to] = isOwn ? [source.path, target.path] : [source.whole, target.whole]
  const line = `${from} ${to} ${order.status}`
  return lineDraft(line, isOwn ? zone : undefined)
}

function lineDraft(line: string, zone: string | undefined): Draft {
  const [fault] = checkRules('_redirects', `${line}\n`, { zone }).errors
  if (fault !== undefined)
    return refusal(`That redirect can never take effect: the line ${fault.reason}.`)
  const where = zone === undefined ? 'of all zones' : `of zone ${quoted(zone)}`
  return draftOf({
    text: `The redirect ${quoted(line)} is prepared for the rules ${where}. Nothing is saved until you confirm it.`,
    actions: [{ kind: 'redirect', zone, line }],
    isExact: true,
    followUps: ['How can I see what the rules do to an address?'],
  })
}

interface Place {
  /** Of the asset that is meant, where it is named. */
  readonly zone: string | undefined
  /** As it is written in the rules of its own zone. */
  readonly path: string
  /** As it is written in the rules of all zones. */
  readonly whole: string
}

const isWithin = (place: Place, zone: string): boolean =>
  place.zone === undefined || place.zone === zone

function placeOf(address: string, isOpen: IsOpen): Place {
  const isElsewhere = /^https?:\/\//iu.test(address)
  const whole = isElsewhere || address.startsWith('/') ? address : `/${address}`
  const [, zone = '', path = whole] = /^\/([a-z0-9-]{2,64})(\/v1\/.*)$/u.exec(whole) ?? []
  return isOpen(zone) ? { zone, path, whole } : { zone: undefined, path: whole, whole }
}

export const refusal = (text: string): Draft =>
  draftOf({ text, confidence: 'medium', isExact: true })
