import type { Manifest } from '../../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../../ports/records/zone.ts'
import { compileHeaderRules, type HeaderRules } from '../headers/header-rules.ts'
import { compileRedirectRules, type RedirectRules } from '../redirects/redirect-rules.ts'

/** Rules of a zone's own. */
export interface OwnRules {
  readonly zone: string
  readonly headers: HeaderRules
  readonly redirects: RedirectRules
}

/** The rule files as they are published now. The same object means that none has changed. */
export interface RuleBook {
  /** Those of all zones. */
  readonly headers: HeaderRules
  readonly redirects: RedirectRules
  /** Those of the zone that the book is for; left out where it has none. */
  readonly own?: OwnRules
}

export interface RuleBooks {
  /** The book for a zone, or with `''` for what is no zone's. */
  (zone: string): RuleBook
  /** Whether a book for a zone whose record is as it was then is what there would be now. */
  isCurrent(book: RuleBook): boolean
}

/**
 * Gives the current rules, compiled once for each content. Zones without rules of their own share one
 * book; so do those that are suspended, of which the service alone speaks.
 */
export function createRuleBooks(published: Pick<Manifest, 'ruleFile' | 'zone'>): RuleBooks {
  const text = { headers: '', redirects: '' }
  let shared: RuleBook = compileShared(text)
  let bookByZone = new WeakMap<ZoneRecord, RuleBook>()
  const ownByZone = new WeakMap<ZoneRecord, OwnRules>()

  function currentShared(): RuleBook {
    const headers = published.ruleFile('_headers') ?? ''
    const redirects = published.ruleFile('_redirects') ?? ''
    if (headers === text.headers && redirects === text.redirects) return shared
    shared = {
      headers: headers === text.headers ? shared.headers : compileHeaderRules(headers),
      redirects: redirects === text.redirects ? shared.redirects : compileRedirectRules(redirects),
    }
    text.headers = headers
    text.redirects = redirects
    bookByZone = new WeakMap()
    return shared
  }

  const bookOf = (name: string): RuleBook => {
    const common = currentShared()
    const zone = name === '' ? undefined : published.zone(name)
    if (zone === undefined || !hasOwnRules(zone)) return common
    const known = bookByZone.get(zone)
    if (known !== undefined) return known
    const own = ownByZone.get(zone) ?? compileOwnRules(zone)
    ownByZone.set(zone, own)
    const book = { ...common, own }
    bookByZone.set(zone, book)
    return book
  }
  const isCurrent = ({ headers, redirects }: RuleBook): boolean => {
    const common = currentShared()
    return headers === common.headers && redirects === common.redirects
  }
  return Object.assign(bookOf, { isCurrent })
}

const compileShared = ({ headers, redirects }: { headers: string; redirects: string }) => ({
  headers: compileHeaderRules(headers),
  redirects: compileRedirectRules(redirects),
})

const hasOwnRules = ({ headers, redirects, enabled, suspended }: ZoneRecord): boolean =>
  (headers !== undefined || redirects !== undefined) && enabled && !suspended

/** What a zone's own files say; all that they must not say is left out. */
export const compileOwnRules = ({
  name,
  headers = '',
  redirects = '',
}: Pick<ZoneRecord, 'name' | 'headers' | 'redirects'>): OwnRules => ({
  zone: name,
  headers: compileHeaderRules(headers, name),
  redirects: compileRedirectRules(redirects, name),
})
