import type { RoleGrant } from '../../../ports/access/people-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { deletionsKnownMs } from '../../../ports/records/past-asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import type {
  AnnouncedExpiry,
  Publication,
  PublicationStore,
} from '../../../ports/content/publication-store.ts'
import type { RuleFileRecord, ZoneRecord } from '../../../ports/records/zone.ts'
import { byBytes, type MemoryDatabase } from './memory-database.ts'

/** A PublicationStore for tests and demos. */
export class MemoryPublicationStore implements PublicationStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async position(): Promise<{ readonly commitId: string | undefined; readonly seq: number }> {
    return { commitId: this.#database.commitId, seq: this.#newest() }
  }

  async publish(publications: readonly Publication[]): Promise<readonly FeedEntry[]> {
    // Whatever cannot be stored throws here, before anything has changed.
    const all = structuredClone(publications)
    JSON.stringify(all)
    return all.flatMap((publication) => {
      // First, as whoever hears of a zone is still told of its removal.
      const entries = this.#database.announce(publication.feed, publication.audit)
      this.#apply(publication)
      return entries
    })
  }

  async *assets(): AsyncIterable<AssetRecord> {
    yield* [...this.#database.assetByPath.values()].toSorted((a, b) => byBytes(a.path, b.path))
  }

  async assetsAt(paths: readonly string[]): Promise<readonly AssetRecord[]> {
    return [...new Set(paths)].flatMap((path) => this.#database.assetByPath.get(path) ?? [])
  }

  async zones(): Promise<readonly ZoneRecord[]> {
    return [...this.#database.zoneByName.values()].toSorted((a, b) => byBytes(a.name, b.name))
  }

  async ruleFiles(): Promise<readonly RuleFileRecord[]> {
    return [...this.#database.ruleFileByName.values()].toSorted((a, b) => byBytes(a.name, b.name))
  }

  async markers(): Promise<readonly DirectoryMarker[]> {
    return [...this.#database.markerByPath.values()].toSorted((a, b) => byBytes(a.path, b.path))
  }

  async erased(): Promise<readonly string[]> {
    return [...this.#database.erased].toSorted()
  }

  async feedAfter(seq: number, limit: number): Promise<readonly FeedEntry[]> {
    const start = Math.max(0, seq - this.#database.forgottenEntries)
    return this.#database.feed.slice(start, start + limit)
  }

  async forgetFeedBefore(time: Date, kept: number): Promise<number> {
    const { feed } = this.#database
    const end = feed.findIndex(({ at, seq }) => at >= time || seq > this.#newest() - kept)
    const forgotten = feed.splice(0, end === -1 ? feed.length : end).length
    this.#database.forgottenEntries += forgotten
    return forgotten
  }

  async lastOfCommit(commitId: string): Promise<FeedEntry | undefined> {
    return this.#database.feed.findLast((entry) => entry.commitId === commitId)
  }

  async expiries(): Promise<readonly AnnouncedExpiry[]> {
    return Array.from(this.#database.expiryByPath, ([path, expiresAt]) => ({ path, expiresAt }))
  }

  async forgetProjections(): Promise<void> {
    this.#database.commitId = undefined
    this.#database.assetByPath.clear()
    this.#database.deletedByPath.clear()
    this.#database.moves = []
    this.#database.versions = []
    this.#database.markerByPath.clear()
    this.#database.zoneByName.clear()
    this.#database.ruleFileByName.clear()
  }

  #apply(publication: Publication): void {
    this.#applyZones(publication)
    this.#applyAssets(publication)
    this.#applyVersions(publication)
    this.#applyRuleFiles(publication)
    this.#applyExpiries(publication)
    for (const sha256 of publication.erased ?? []) this.#database.erased.add(sha256)
    this.#database.commitId = publication.commitId ?? this.#database.commitId
  }

  #applyExpiries({ expiries = [] }: Publication): void {
    for (const { path, expiresAt } of expiries)
      if (expiresAt === undefined) this.#database.expiryByPath.delete(path)
      else this.#database.expiryByPath.set(path, expiresAt)
  }

  #applyZones({ removedZones = [], zones = [] }: Publication): void {
    for (const name of removedZones) this.#removeZone(name)
    for (const zone of zones) this.#database.zoneByName.set(zone.name, zone)
  }

  #applyAssets({
    removedAssets = [],
    assets = [],
    deletedAssets = [],
    moves = [],
  }: Publication): void {
    const { assetByPath, deletedByPath } = this.#database
    for (const path of removedAssets) assetByPath.delete(path)
    for (const asset of assets) assetByPath.set(asset.path, asset)
    for (const asset of deletedAssets) {
      deletedByPath.set(asset.path, asset)
      for (const { path, deletedAt } of deletedByPath.values())
        if (deletedAt.getTime() < asset.deletedAt.getTime() - deletionsKnownMs)
          deletedByPath.delete(path)
    }
    this.#database.moves.push(...moves)
  }

  #applyVersions({ removedMarkers = [], markers = [], versions = [] }: Publication): void {
    for (const path of removedMarkers) this.#database.markerByPath.delete(path)
    for (const marker of markers) this.#database.markerByPath.set(marker.path, marker)
    this.#database.versions.push(...versions)
  }

  #applyRuleFiles({ ruleFiles = [], removedRuleFiles = [] }: Publication): void {
    for (const file of ruleFiles) this.#database.ruleFileByName.set(file.name, file)
    for (const name of removedRuleFiles) this.#database.ruleFileByName.delete(name)
  }

  #removeZone(name: string): void {
    const { zoneByName, assetByPath, domainByHostname } = this.#database
    zoneByName.delete(name)
    for (const asset of assetByPath.values())
      if (asset.zone === name) assetByPath.delete(asset.path)
    for (const { path, zone } of this.#database.deletedByPath.values())
      if (zone === name) this.#database.deletedByPath.delete(path)
    this.#database.moves = this.#database.moves.filter(
      ({ from, to }) => !from.startsWith(`${name}/`) && !to.startsWith(`${name}/`),
    )
    this.#database.versions = this.#database.versions.filter(
      ({ path }) => !path.startsWith(`${name}/`),
    )
    for (const { zone, path } of this.#database.markerByPath.values())
      if (zone === name) this.#database.markerByPath.delete(path)
    for (const { zone, hostname } of domainByHostname.values())
      if (zone === name) domainByHostname.delete(hostname)
    this.#removePreviews(name)
    this.#removeUploadGrants(name)
    this.#removeFromTokens(name)
    this.#removeFromPeople(name)
    this.#removeFromWebhooks(name)
  }

  #removePreviews(name: string): void {
    const { previewByKey } = this.#database
    for (const [key, { zone }] of previewByKey) if (zone === name) previewByKey.delete(key)
  }

  #removeUploadGrants(name: string): void {
    const { uploadGrantById, uploadGrantUseByUpload } = this.#database
    for (const { id, zone } of uploadGrantById.values())
      if (zone === name) uploadGrantById.delete(id)
    for (const { uploadId, grantId } of uploadGrantUseByUpload.values())
      if (!uploadGrantById.has(grantId)) uploadGrantUseByUpload.delete(uploadId)
  }

  #removeFromWebhooks(name: string): void {
    const { webhookById } = this.#database
    for (const [id, webhook] of webhookById) {
      const { zones } = webhook
      if (zones) webhookById.set(id, { ...webhook, zones: zones.filter((zone) => zone !== name) })
    }
  }

  #removeFromTokens(name: string): void {
    const { tokenById } = this.#database
    for (const [id, token] of tokenById) {
      if (!token.zones?.includes(name)) continue
      const zones = token.zones.filter((zone) => zone !== name)
      if (zones.length === 0) tokenById.delete(id)
      else tokenById.set(id, { ...token, zones })
      this.#database.tokenVersion += 1
    }
  }

  #removeFromPeople(name: string): void {
    const { personById } = this.#database
    for (const [id, person] of personById) {
      if (!person.grants.some(({ zones }) => zones?.includes(name))) continue
      personById.set(id, { ...person, grants: grantsWithout(person.grants, name) })
      this.#database.peopleVersion += 1
    }
  }

  #newest(): number {
    return this.#database.forgottenEntries + this.#database.feed.length
  }
}

const grantsWithout = (grants: readonly RoleGrant[], zone: string): readonly RoleGrant[] =>
  grants.flatMap((grant) => {
    const zones = grant.zones?.filter((each) => each !== zone)
    return zones?.length === 0 ? [] : [{ ...grant, zones }]
  })
