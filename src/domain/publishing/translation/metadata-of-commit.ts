import { takeTurns } from '../../../lib/async/turns.ts'
import type { Log } from '../../../lib/log.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type { Change, Commit, Put, Tree } from '../../../ports/content/content-store.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { OwnRuleTexts } from '../../../ports/records/zone.ts'
import { type AssetPath, zoneOf } from '../../content/asset-path.ts'
import { maxSidecarBytes, parseSidecar, SidecarError } from '../../content/metadata/sidecar.ts'
import {
  assetOfSidecar,
  fieldsPath,
  ownRuleFileAt,
  ownDirectory,
  sidecarPath,
} from '../../content/metadata/sidecar-paths.ts'
import {
  firstValuesIn,
  personsValues,
  withFirstValues,
} from '../../content/metadata/first-values.ts'
import { bytesOfPut } from './bytes-of-put.ts'
import { fieldsOfCommit, requireCustom } from './fields-of-commit.ts'
import { placeOf } from './place-of.ts'
import { type OwnRulePuts, ownRulesOfCommit } from './own-rules-of-commit.ts'

interface Dependencies {
  readonly tree: Pick<Tree, 'find' | 'read'>
  readonly blobs: Pick<BlobStore, 'read'>
  readonly published: Pick<Manifest, 'zone'>
  readonly log: Pick<Log, 'warn'>
}

interface FormerRecords {
  readonly previous: AssetRecord | undefined
  /** What was published of the file whose bytes these may be, of another path where it was moved. */
  readonly sameFile: AssetRecord | undefined
}

/** What is known of assets once a commit is in. */
export interface MetadataOfCommit {
  /** Of those it says or takes back something. */
  readonly paths: readonly AssetPath[]
  /**
   * Of `asset` as the commit leaves it. What is said of bytes that are there no more stays if a
   * person said it.
   */
  of(
    asset: Pick<AssetRecord, 'path' | 'sha256'>,
    former: FormerRecords,
  ): Promise<AssetMetadata | undefined>
  /** The zones whose own fields or rules it says something of. */
  readonly zones: readonly string[]
  /** What a zone's own fields may be once the commit is in: the text of its file. */
  fieldsOf(zone: string): Promise<string | undefined>
  /** The same of its rule files. */
  rulesOf(zone: string): Promise<OwnRuleTexts>
}

/**
 * What is known of an asset is a file of its own, which may come with it, before it, or after it. One
 * that breaks the rules is left out, and the record says why: nothing else of the commit waits for it.
 */
export async function metadataOfCommit(
  { changes }: Commit,
  dependencies: Dependencies,
): Promise<MetadataOfCommit> {
  const { putByPath, fieldsByZone, rulesByZone } = await ownChangesOf(changes)
  const fields = fieldsOfCommit(fieldsByZone, dependencies)

  async function saidOf(path: AssetPath): Promise<AssetMetadata> {
    const put = putByPath.get(path)
    return put === undefined
      ? {}
      : await read(put.blob, path, () => bytesOfPut(put, dependencies.blobs))
  }

  /** A file that came before its asset has been waiting; the blob store need not have it any more. */
  async function waitingFor(path: AssetPath): Promise<AssetMetadata> {
    const file = sidecarPath(path)
    const found = await dependencies.tree.find(file)
    if (found?.kind !== 'file') return {}
    return await read(await found.blob(), path, () => dependencies.tree.read(file))
  }

  async function read(
    { sizeBytes }: BlobRef,
    path: AssetPath,
    load: () => Promise<Uint8Array | undefined>,
  ): Promise<AssetMetadata> {
    try {
      if (sizeBytes > maxSidecarBytes)
        throw new SidecarError(`it has more than ${maxSidecarBytes} bytes`)
      const { metadata } = parseSidecar((await load()) ?? new Uint8Array())
      if (metadata.custom !== undefined) requireCustom(metadata, await fields.of(zoneOf(path)))
      return metadata
    } catch (error) {
      if (!(error instanceof SidecarError)) throw error
      dependencies.log.warn('what a file says of an asset is left out', {
        file: sidecarPath(path),
        path,
        why: error.message,
      })
      return { fault: error.message }
    }
  }

  return {
    paths: [...putByPath.keys()],
    zones: [...fieldsByZone.keys(), ...rulesByZone.keys()],
    fieldsOf: async (zone) => (await fields.of(zone))?.text,
    rulesOf: ownRulesOfCommit(rulesByZone, dependencies),
    async of(asset, { previous, sameFile }) {
      const path = asset.path as AssetPath
      const isSame = sameFile?.sha256 === asset.sha256
      const first = isSame ? firstValuesIn(sameFile.metadata) : undefined
      if (putByPath.has(path)) return withFirstValues(await saidOf(path), first)
      if (previous === undefined) return withFirstValues(await waitingFor(path), first)
      return withFirstValues(personsValues(previous.metadata), first)
    },
  }
}

/** A commit of thousands lets others have turns. */
const changesPerTurn = 5_000

async function ownChangesOf(changes: readonly Change[]) {
  const putByPath = new Map<AssetPath, Put | undefined>()
  const fieldsByZone = new Map<string, Put | undefined>()
  const rulesByZone = new Map<string, OwnRulePuts>()
  const turns = takeTurns(changesPerTurn)
  for (const change of changes) {
    await turns.after(1)
    if (!change.path.includes(`/${ownDirectory}/`)) continue
    const place = placeOf(change.path)
    if (place.kind !== 'own') continue
    const put = change.kind === 'put' ? change : undefined
    const path = assetOfSidecar(place.zone, change.path)
    if (path !== undefined) putByPath.set(path, put)
    else if (change.path === fieldsPath(place.zone)) fieldsByZone.set(place.zone, put)
    else noteRules(rulesByZone, { ...place, path: change.path, put })
  }
  return { putByPath, fieldsByZone, rulesByZone }
}

interface ChangedOwnFile {
  readonly zone: string
  readonly path: string
  readonly put: Put | undefined
}

function noteRules(
  rulesByZone: Map<string, OwnRulePuts>,
  { zone, path, put }: ChangedOwnFile,
): void {
  const file = ownRuleFileAt(zone, path)
  if (file !== undefined)
    rulesByZone.set(zone, new Map([...(rulesByZone.get(zone) ?? []), [file, put]]))
}
