import { expect, test } from 'bun:test'

const program = `
  const { yieldToOthers } = await import(${JSON.stringify(`${import.meta.dir}/yield-to-others.ts`)})
  yieldToOthers(5)
  console.log((await import('node:os')).getPriority())`

const priorityAfter = (command: readonly string[]): number =>
  Number(Bun.spawnSync([...command, process.execPath, '-e', program]).stdout.toString())

test('a process gives way, and one that was started nicer stays so', () => {
  expect(priorityAfter([])).toBeGreaterThanOrEqual(5)
  expect(priorityAfter(['nice', '-n', '12'])).toBeGreaterThanOrEqual(12)
})
