import type { Change, Commit } from '../../../ports/content/content-store.ts'
import type { EarlierVersion } from '../../../ports/content/object-versions.ts'
import type { ObjectContent } from '../../../ports/records/object-version.ts'
import { zoneOf } from '../../content/asset-path.ts'
import { isMarkerBlob, markerContent } from '../../content/directory-marker.ts'
import { contentOf } from '../../content/objects/object-content.ts'
import { assetRecordOf } from './asset-record.ts'
import { directoryOf } from './objects-of-commit.ts'
import { type Place, placeOf } from './place-of.ts'
import { followZoneFiles } from './zone-files.ts'

export interface ObjectsMade {
  /** Those that ended with the commit. */
  readonly removedZones: readonly string[]
  readonly versions: readonly EarlierVersion[]
}

export interface EarlierObjects {
  /** Commits must come in order, from the first on. */
  next(commit: Commit): ObjectsMade
}

/** What a change makes of an object. */
interface Made {
  readonly zone: string
  readonly path: string
  readonly content: ObjectContent | undefined
}

/** What past commits made of objects, without a catalogue of that time. */
export function earlierObjects(): EarlierObjects {
  const zoneFiles = followZoneFiles()
  const commitIdByZone = new Map<string, string>()
  /** Of the objects that there are, whether the path is a marker's. */
  const present = new Map<string, boolean>()

  function end(zone: string): void {
    commitIdByZone.delete(zone)
    for (const path of present.keys()) if (path.startsWith(`${zone}/`)) present.delete(path)
  }

  /** Whether anything came of it: what is not there cannot go, and a marker is put once. */
  function take({ path, content }: Made): boolean {
    if (content === undefined) return present.delete(path)
    const isMarker = content === markerContent
    if (isMarker && present.has(path)) return false
    present.set(path, isMarker)
    return true
  }

  /** Opens the zone of what is put. */
  function open({ kind }: Change, place: Place, commitId: string): void {
    const zone = place.kind === 'asset' ? zoneOf(place.path) : zoneAt(place)
    if (zone !== undefined && kind === 'put' && !commitIdByZone.has(zone))
      commitIdByZone.set(zone, commitId)
  }

  function* versionsOf(commit: Commit): Iterable<EarlierVersion> {
    const { id: commitId, committedAt } = commit
    for (const change of commit.changes) {
      const place = placeOf(change.path)
      if (place.kind === 'zone') end(place.zone)
      open(change, place, commitId)
      const made = madeBy(change, place, commit)
      if (made === undefined || !take(made)) continue
      const version = { path: made.path, commitId, committedAt, content: made.content }
      yield { version, zoneCommitId: commitIdByZone.get(made.zone) ?? commitId }
    }
  }

  return {
    next(commit) {
      zoneFiles.apply(commit, (path) => present.has(path))
      const versions = [...versionsOf(commit)]
      const gone = commit.changes.filter(({ kind }) => kind === 'delete')
      const touched = new Set(gone.flatMap(({ path }) => path.split('/')[1] ?? []))
      const removedZones = [...touched].filter((zone) => !zoneFiles.has(zone))
      removedZones.forEach(end)
      const isStaying = ({ version: { path } }: EarlierVersion) =>
        !removedZones.includes(path.slice(0, path.indexOf('/')))
      return { removedZones, versions: versions.filter(isStaying) }
    },
  }
}

const zoneAt = (place: Place): string | undefined =>
  'zone' in place && place.kind !== 'own' ? place.zone : undefined

function madeBy(change: Change, place: Place, commit: Commit): Made | undefined {
  if (place.kind === 'asset') {
    const asset =
      change.kind === 'put'
        ? assetRecordOf(change, place.path, { commit, createdAt: undefined })
        : undefined
    return { zone: zoneOf(place.path), path: place.path, content: asset && contentOf(asset) }
  }
  const path = place.kind === 'placeholder' ? directoryOf(change.path) : undefined
  if (place.kind !== 'placeholder' || path === undefined) return undefined
  const isMarker = change.kind === 'put' && isMarkerBlob(change.blob)
  return { zone: place.zone, path, content: isMarker ? markerContent : undefined }
}
