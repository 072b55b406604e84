import type { AssetRecord } from '../../../ports/records/asset.ts'
import { counted } from '../../../lib/text/visible-text.ts'
import { encodePath } from '../../content/asset-path.ts'
import { assetSource, type Draft, draftOf } from '../knowledge/draft.ts'
import type { PurgedTarget } from '../knowledge/prepared-action.ts'
import type { Order } from '../question/orders.ts'
import { quoted } from '../question/quoted-text.ts'
import { redirectDraft, refusal } from './redirect-answers.ts'

/** The assets that some words mean. */
export interface Meant {
  readonly number: number
  /** As many of them as an action may name. */
  readonly first: readonly AssetRecord[]
}

interface Dependencies {
  /** What the words mean, be it by what was said before; at most `limit` of them. */
  readonly meant: (what: string, limit: number) => Promise<Meant>
  /** Whether there is such a zone that whoever asks may know of. */
  readonly isOpen: (zone: string) => boolean
}

const maxPurged = 30
const maxTagged = 200
const shown = 5
const unconfirmed = 'Nothing is done until you confirm it.'

/** Says what an order would do. Names of files are only ever what is acted on, never what is to be done. */
export async function actionDraft(order: Order, dependencies: Dependencies): Promise<Draft> {
  if (order.verb === 'purge') return await purgeDraft(order.what, dependencies)
  if (order.verb === 'redirect') return redirectDraft(order, dependencies.isOpen)
  return await tagDraft(order, dependencies)
}

async function purgeDraft(what: string, { meant, isOpen }: Dependencies): Promise<Draft> {
  const named = namedTarget(what, isOpen)
  if (named !== undefined) return preparedPurge(named, [])
  const { number, first } = await meant(what, maxPurged)
  if (number > maxPurged)
    return refusal(
      `${number} files fit, and at most ${maxPurged} can be purged at once. Purge their zone instead: "Purge zone acme".`,
    )
  if (first.length === 0) return unknown('purge', 'Give its path, a tag, or the name of a zone.')
  return preparedPurge(
    { kind: 'urls', urls: first.map(({ path }) => `/${encodePath(path)}`) },
    first,
  )
}

/** What is named in full: everything, a zone, tags or URLs. */
function namedTarget(what: string, isOpen: (zone: string) => boolean): PurgedTarget | undefined {
  if (/^(?:everything|all|all caches|the (?:whole )?cache|all files|all zones)$/iu.test(what))
    return { kind: 'everything' }
  const [, name = ''] =
    /^(?:everything (?:in|of) |all of )?(?:the )?(?:zone )?([a-z0-9-]{2,64})$/iu.exec(what) ?? []
  const zone = name.toLowerCase()
  if (isOpen(zone)) return { kind: 'tags', tags: [`zone-${zone}`] }
  const [lead] = /^(?:the )?(?:surrogate )?tags? /iu.exec(what) ?? []
  return lead === undefined ? urlTarget(itemsOf(what)) : tagTarget(itemsOf(what.slice(lead.length)))
}

const itemsOf = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/u)
    .filter((item) => item !== '' && item !== 'and')
    .map((item) => item.replaceAll(/["'`]/gu, ''))

const areSome = (items: readonly string[]): boolean => items.length > 0 && items.length <= maxPurged

const tagTarget = (tags: readonly string[]): PurgedTarget | undefined =>
  areSome(tags) && tags.every((tag) => /^[\w-]{1,128}$/u.test(tag))
    ? { kind: 'tags', tags }
    : undefined

function urlTarget(items: readonly string[]): PurgedTarget | undefined {
  const urls = items.map((item) =>
    /^[a-z0-9-]+\/v1\//u.test(item) ? `/${encodePath(item)}` : item,
  )
  return areSome(urls) && urls.every(isUrl) ? { kind: 'urls', urls } : undefined
}

const isUrl = (item: string): boolean => /^(?:\/(?![/\\])|https?:\/\/)/iu.test(item)

function preparedPurge(target: PurgedTarget, assets: readonly AssetRecord[]): Draft {
  return draftOf({
    text: `A purge of ${purgedName(target, assets)} is prepared. ${unconfirmed}`,
    sources: assets.slice(0, shown).map(assetSource),
    actions: [{ kind: 'purge', target }],
    isExact: true,
    followUps: ['How often can I purge in a day?'],
  })
}

function purgedName(target: PurgedTarget, assets: readonly AssetRecord[]): string {
  if (target.kind === 'everything') return 'everything'
  if (assets.length > 0) return cited(assets, assets.length)
  const items = target.kind === 'urls' ? target.urls : target.tags
  const names = items.slice(0, shown).map(quoted).join(', ')
  const more = items.length > shown ? ` and ${items.length - shown} more` : ''
  return `${target.kind === 'urls' ? '' : items.length === 1 ? 'the tag ' : 'the tags '}${names}${more}`
}

function cited(assets: readonly AssetRecord[], number: number): string {
  const names = assets.slice(0, shown).map(({ path }, place) => `${quoted(path)} [${place + 1}]`)
  const more = number - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

type TagOrder = Extract<Order, { readonly tags: readonly string[] }>

async function tagDraft({ verb, what, tags }: TagOrder, { meant }: Dependencies): Promise<Draft> {
  const { number, first } = await meant(what, maxTagged)
  if (number > maxTagged)
    return refusal(
      `${number} files fit. I prepare a change of at most ${maxTagged} at once: say more closely which, or choose them on the page of assets.`,
    )
  if (first.length === 0) return unknown(verb, 'Name them, or give their paths.')
  const names = tags.map(quoted).join(', ')
  const change =
    verb === 'tag'
      ? `Adding the ${tagWord(tags)} ${names} to`
      : `Taking the ${tagWord(tags)} ${names} from`
  return draftOf({
    text: `${change} ${counted(number, 'file')} is prepared: ${cited(first, number)}. ${unconfirmed}`,
    sources: first.slice(0, shown).map(assetSource),
    actions: [{ kind: 'tag', verb, tags, paths: first.map(({ path }) => path) }],
    isExact: true,
  })
}

const tagWord = (tags: readonly string[]): string => (tags.length === 1 ? 'tag' : 'tags')

const unknown = (verb: string, how: string): Draft =>
  draftOf({ text: `I do not know what to ${verb}. ${how}`, confidence: 'low', isExact: true })
