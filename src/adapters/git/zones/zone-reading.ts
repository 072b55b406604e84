import { setImmediate } from 'node:timers/promises'

import type {
  ZoneCommit,
  ZoneCommitStore,
  ZoneProgress,
} from '../../../ports/zone-repositories/zone-commit-store.ts'
import { runGit, tryGit } from '../objects/git-command.ts'
import type { PackedObject } from '../objects/pack-format.ts'
import { type PushedCommits, takeStep, type ZoneTip } from './zone-history.ts'
import { zoneSteps, type ZoneSpan, type ZoneStep } from './zone-log.ts'
import type { ZoneRepository } from './zone-repository.ts'

interface Options {
  /** The whole repository. */
  readonly whole: string
  readonly repository: ZoneRepository
  readonly commits: ZoneCommitStore
  readonly span: ZoneSpan
  /** What `span.after` left the repository with. */
  readonly newest: string | undefined
}

/** More are not held in memory for one pack. */
const commitsPerPack = 2_000
/** So many are made before requests are answered again. */
const commitsPerTurn = 200

/** What waits to be written, and how far the repository is then. */
interface Waiting {
  readonly objects: PackedObject[]
  readonly pairs: ZoneCommit[]
  tip: ZoneTip | undefined
  readTo: string | undefined
}

/** Leads the repository of a zone on to where the span ends. */
export async function readZone(options: Options): Promise<void> {
  const { whole, span, newest } = options
  const tip = newest === undefined ? undefined : { id: newest, treeId: await treeOf(whole, span) }
  const waiting: Waiting = { objects: [], pairs: [], tip, readTo: span.after }
  const pushes = pushesIn(whole)
  for await (const steps of zoneSteps(whole, span))
    for (const [place, step] of steps.entries()) {
      if (place % commitsPerTurn === commitsPerTurn - 1) await setImmediate()
      await take(step, waiting, { ...options, pushes })
      if (waiting.pairs.length >= commitsPerPack) await write(waiting, options)
    }
  waiting.readTo = span.head
  await write(waiting, options)
}

async function take(
  step: ZoneStep,
  waiting: Waiting,
  { commits, repository, span, pushes }: Options & { readonly pushes: PushedCommits },
): Promise<void> {
  waiting.readTo = step.commitId
  const treeId = step.change === undefined ? waiting.tip?.treeId : step.change.treeId
  if (treeId === undefined) {
    // What comes next is another zone of that name.
    Object.assign(waiting, { objects: [], pairs: [], tip: undefined })
    await commits.forget(span.zone)
    await repository.remove()
    return
  }
  const situation = { former: waiting.tip, step, treeId, zone: span.zone }
  const taken = await takeStep(situation, pushes)
  if (taken === undefined) return
  waiting.tip = taken.tip
  waiting.pairs.push({ commitId: step.commitId, zoneCommitId: taken.tip.id })
  if (taken.object !== undefined) waiting.objects.push(taken.object)
}

/** Objects before the branch that names them, and the branch before what says how far it is. */
async function write(waiting: Waiting, { repository, commits, span }: Options): Promise<void> {
  const { tip, readTo } = waiting
  if (readTo === undefined) return
  await repository.add(waiting.objects.splice(0))
  if (tip !== undefined) await repository.moveTo(tip.id)
  const progress: ZoneProgress = { beginning: span.beginning ?? '', readTo, newest: tip?.id }
  await commits.add(span.zone, waiting.pairs.splice(0), progress)
}

async function treeOf(whole: string, { after, directory }: ZoneSpan): Promise<string> {
  const revision = `${after}:${directory}`
  return (await runGit(whole, ['rev-parse', '--verify', revision])).toString('latin1').trim()
}

/** They are in the whole repository, as second parents of what took them up. */
const pushesIn = (whole: string): PushedCommits => ({
  async treeOf(id) {
    const options = ['rev-parse', '--verify', '--quiet', '--end-of-options']
    const { exitCode, output } = await tryGit(whole, [...options, `${id}^{tree}`])
    return exitCode === 0 ? output.toString('latin1').trim() : undefined
  },
  async isAncestor(one, other) {
    const options = ['merge-base', '--is-ancestor', '--end-of-options']
    return (await tryGit(whole, [...options, one, other])).exitCode === 0
  },
})
