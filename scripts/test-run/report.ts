import type { FileResult } from './run-file.ts'

const slowestShown = 10

/** A line for a file that passed; for one that did not, all that it said. */
export function lineOf({ title, seconds, passed, failed, output }: FileResult): string {
  const took = `(${seconds.toFixed(1)} s)`
  return failed === 0
    ? `✓ ${title}: ${passed} passed ${took}`
    : `${output.trimEnd()}\n✗ ${title}: ${passed} passed, ${failed} failed ${took}`
}

/** What is worth knowing of a whole run. */
export function summaryOf(results: readonly FileResult[]): string {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown)
  const faults = results.filter(({ failed }) => failed > 0)
  const unsteady = results.filter(({ isUnsteady }) => isUnsteady === true)
  return [
    ...results.flatMap(({ skipped }) => skipped),
    ...unsteady.map(({ title }) => `unsteady: ${title} failed beside others and passed alone`),
    `The ${slowest.length} slowest of ${results.length} files:`,
    ...slowest.map(slowLine),
    ...faults.flatMap(({ title, output }) => [`✗ ${title}`, ...failedTestsIn(output)]),
    `${sum(results, 'passed')} pass`,
    `${sum(results, 'failed')} fail`,
  ].join('\n')
}

const slowLine = ({ title, seconds, processorSeconds }: FileResult): string =>
  `${seconds.toFixed(1).padStart(7)} s, ${processorSeconds.toFixed(1).padStart(5)} s of processors  ${title}`

const failedTestsIn = (output: string): readonly string[] =>
  [...output.matchAll(/^\(fail\) (.*)$/gmu)].map(([, name]) => `    ${name}`)

type Countable = 'passed' | 'failed' | 'processorSeconds'

export const sum = (results: readonly FileResult[], what: Countable): number =>
  results.reduce((total, result) => total + result[what], 0)
