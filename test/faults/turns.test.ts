import { expect, test } from 'bun:test'

import { measureTurns } from '../turns/measure-turns.ts'
import { smallSizes } from '../turns/sizes.ts'
import { works } from '../turns/works.ts'

/** Processor time is longer too where all processors are busy; `npm run turns` asks for 100 ms at full size. */
const longMs = 250

test(`no large work has a loop compute for more than ${longMs} ms at a stretch`, async () => {
  const measured = await measureTurns({ works, sizes: smallSizes, limitMs: longMs })

  expect(measured.filter(({ failure }) => failure !== undefined)).toEqual([])
  expect(
    measured.flatMap(({ name, ofService, ofEdge }) =>
      [...ofService, ...ofEdge].map((turn) => ({ name, ...turn })),
    ),
  ).toEqual([])
}, 600_000)
