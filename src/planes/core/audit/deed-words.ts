import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { Sender } from '../../../ports/records/sender.ts'
import { namedAgentFamily } from '../../../lib/text/agent-family.ts'

type Deed = Pick<AuditRecord, 'action' | 'target' | 'meta'>

/** What was done, in the past, as a sentence goes on after who did it. */
const wordsByAction: Readonly<Record<string, (deed: Deed) => string>> = {
  'storage.put': ({ target }) => `stored ${target}`,
  'storage.delete': ({ target }) => `deleted ${target}`,
  'storage.move': (deed) => `moved ${deed.target}${toOf(deed)}`,
  'storage.copy': (deed) => `copied ${deed.target}${toOf(deed)}`,
  'storage.batch': (deed) => `changed ${filesOf(deed)} of ${deed.target}`,
  'storage.restore': ({ target }) => `restored ${target}`,
  'storage.forget': ({ target }) => `removed a version of ${target}`,
  'storage.undo': ({ target }) => `took back a commit of ${target}`,
  'asset.forget': ({ target }) => `removed what was known of ${target}`,
  'asset.describe': ({ target }) => `described ${target}`,
  'asset.focal-point': ({ target }) => `set the crop focus of ${target}`,
  'object.describe': ({ target }) => `described ${target}`,
  'zone.create': ({ target }) => `created zone ${target}`,
  'zone.update': ({ target, meta }) => `changed ${namesOf(meta)} of zone ${target}`,
  'zone.delete': ({ target }) => `deleted zone ${target}`,
  'zone.restore': ({ target }) => `restored zone ${target} to an earlier moment`,
  'zone.fields': ({ target }) => `changed the own fields of zone ${target}`,
  'zone.quotas': ({ target }) => `changed what zone ${target} may have and use`,
  'zone.cors': ({ target }) => `changed the CORS rules of zone ${target}`,
  'zone.retention': ({ target }) => `let old versions of zone ${target} go`,
  'rules.update': ({ target }) => `changed ${target}`,
  'domain.add': (deed) => `added domain ${deed.target}${zoneToo(deed)}`,
  'domain.remove': (deed) => `removed domain ${deed.target}${zoneFrom(deed)}`,
  'domain.update': ({ target }) => `changed domain ${target}`,
  'domain.ssl': ({ target }) => `was given a certificate for ${target}`,
  'domain.prove': ({ target }) => `proved domain ${target}`,
  'token.create': ({ target, meta }) => `created token ${nameIn(meta) ?? target}`,
  'token.rotate': ({ target, meta }) => `gave token ${nameIn(meta) ?? target} another secret`,
  'person.invite': ({ target, meta }) => `invited ${nameIn(meta) ?? target}`,
  'person.uninvite': ({ target, meta }) => `withdrew the invitation of ${nameIn(meta) ?? target}`,
  'person.join': ({ target, meta }) => `took up the invitation of ${nameIn(meta) ?? target}`,
  'person.roles': ({ target, meta }) => `changed the roles of ${nameIn(meta) ?? target}`,
  'person.rename': ({ target, meta }) => `renamed ${nameIn(meta) ?? target}`,
  'person.disable': ({ target, meta }) => `disabled ${nameIn(meta) ?? target}`,
  'person.enable': ({ target, meta }) => `enabled ${nameIn(meta) ?? target}`,
  'person.remove': ({ target, meta }) => `removed ${nameIn(meta) ?? target}`,
  'token.revoke': ({ target, meta }) => `revoked token ${nameIn(meta) ?? target}`,
  'webhook.create': ({ target }) => `created webhook ${target}`,
  'webhook.update': ({ target }) => `changed webhook ${target}`,
  'webhook.delete': ({ target }) => `deleted webhook ${target}`,
  'webhook.test': ({ target }) => `tested webhook ${target}`,
  'webhook.redeliver': ({ target }) => `sent an event again to webhook ${target}`,
  'webhook.switch-off': ({ target }) => `switched webhook ${target} off, which had failed for long`,
  'webhook.reseal': ({ target }) => `encrypted the secret of webhook ${target} anew`,
  'session.open': () => 'signed in',
  'session.end': () => 'signed out',
  'session.refuse': () => 'tried to sign in and was refused',
  'session.copied': () => 'used a session cookie that was replaced: it may have been copied',
  'passkey.add': ({ meta }) => `added passkey ${nameIn(meta) ?? ''}`.trim(),
  'passkey.remove': () => 'removed a passkey',
  'preview.create': ({ target }) => `created preview ${target}`,
  'preview.promote': ({ target }) => `promoted preview ${target}`,
  'preview.merge': ({ target }) => `updated preview ${target} from live`,
  'preview.delete': ({ target }) => `deleted preview ${target}`,
  'repository.push': ({ target }) => `pushed to ${target}`,
  'repository.commit': ({ target }) => `committed to ${target}`,
  'content.erase': ({ target }) => `erased ${target} for good`,
  'backup.create': ({ meta }) => `made backup ${backupIn(meta)}`,
  'backup.verify': ({ meta }) => `verified backup ${backupIn(meta)}`,
  'backup.delete': ({ meta }) => `deleted backup ${backupIn(meta)}`,
  purge: purgeWords,
}

/** `purged 2 URLs of northwind`; the action and its target where there are no words for it. */
export function deedWords(deed: Deed): string {
  const words = Object.hasOwn(wordsByAction, deed.action) ? wordsByAction[deed.action] : undefined
  return (words?.(deed) ?? `${deed.action} ${deed.target}`).slice(0, maxLength)
}

const maxLength = 300
const nameByKey: Readonly<Record<string, string>> = {
  'access-key': 'Access key',
  'account-key': 'Account key',
  'purge-key': 'Purge key',
  'analytics-key': 'Analytics key',
}

/** Who did it, as people say it: `Session of Firefox on Linux`, `Token ci`. */
export function senderWords(by: Sender | undefined, userAgent: string | undefined): string {
  if (by === undefined) return 'Somebody'
  if (by.kind === 'person') return by.name ?? 'Somebody'
  if (by.kind === 'token') return `Token ${by.name ?? by.id.slice('token:'.length)}`
  if (by.kind === 'session') return `Session of ${deviceOf(userAgent)}`
  if (by.kind === 'grant') return 'An upload grant'
  return nameByKey[by.id] ?? 'Sedge'
}

const systems = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'] as const

function deviceOf(userAgent = ''): string {
  const family = namedAgentFamily(userAgent) ?? 'a browser'
  const system = systems.find((each) => userAgent.slice(0, maxLength).includes(each))
  return system === undefined ? family : `${family} on ${system.replace('Mac OS X', 'macOS')}`
}

function purgeWords({ target, meta }: Deed): string {
  const { urls, tags } = meta
  const items: unknown = urls ?? tags
  if (!Array.isArray(items)) return `purged ${target}`
  const noun = urls === undefined ? 'tag' : 'URL'
  const zones = new Set(urls === undefined ? [] : items.map(zoneOfUrl))
  const [zone = ''] = zones.size === 1 ? zones : []
  const of = zone === '' ? '' : ` of ${zone}`
  return `purged ${items.length} ${noun}${items.length === 1 ? '' : 's'}${of}`
}

/** Of a path below a host name of ours; `''` where it names no zone. */
function zoneOfUrl(url: unknown): string {
  const text = String(url).slice(0, maxLength)
  const path = URL.parse(text)?.pathname ?? text
  return /^\/?([a-z0-9-]{2,64})\/v1\//u.exec(path)?.[1] ?? ''
}

const toOf = ({ meta: { to } }: Deed): string => (typeof to === 'string' ? ` to ${to}` : '')
const zoneToo = ({ meta: { zone } }: Deed): string =>
  typeof zone === 'string' ? ` to zone ${zone}` : ''
const zoneFrom = ({ meta: { zone } }: Deed): string =>
  typeof zone === 'string' ? ` from zone ${zone}` : ''
const backupIn = ({ backup }: AuditRecord['meta']): string =>
  typeof backup === 'string' ? backup : ''

const nameIn = ({ name }: AuditRecord['meta']): string | undefined =>
  typeof name === 'string' ? name : undefined

function filesOf({ meta: { files } }: Deed): string {
  if (typeof files !== 'number') return 'files'
  return files === 1 ? '1 file' : `${files} files`
}

/** `history days` of `historyDays`. */
const spaced = (name: string): string =>
  name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)

function namesOf(meta: AuditRecord['meta']): string {
  const names = Object.keys(meta).filter((name) => name !== 'before' && name !== 'commit')
  return names.length === 0 ? 'settings' : names.map(spaced).join(', ')
}
