import { expect, test } from 'bun:test'

import {
  type Renderer,
  type RenderJob,
  RenderDeadlineError,
  RenderSourceError,
  UnrenderableImageError,
} from './renderer.ts'

export interface RendererHouse extends AsyncDisposable {
  readonly renderer: Renderer
  readonly sound: RenderJob
  readonly damaged: RenderJob
  /** On a file that is not there. */
  readonly missing: RenderJob
  /** Takes longer than the renderer allows. */
  readonly endless: RenderJob
}

/** What every Renderer must do. The test of each adapter calls this once. */
export function rendererContract(name: string, open: () => Promise<RendererHouse>): void {
  test(`${name}: a job is done and its cost told`, async () => {
    await using house = await open()
    const { cpuMs, wallMs } = await house.renderer.run(house.sound)

    expect(cpuMs).toBeGreaterThanOrEqual(0)
    expect(wallMs).toBeGreaterThanOrEqual(0)
  })

  test(`${name}: a damaged image is refused as unrenderable, and the next job is done`, async () => {
    await using house = await open()
    const { renderer } = house

    expect(await failureOf(renderer.run(house.damaged))).toBeInstanceOf(UnrenderableImageError)
    expect(await renderer.run(house.sound)).toHaveProperty('result')
  })

  test(`${name}: a file that is not there is told apart from a damaged one, and the next job is done`, async () => {
    await using house = await open()
    const { renderer } = house

    expect(await failureOf(renderer.run(house.missing))).toBeInstanceOf(RenderSourceError)
    expect(await renderer.run(house.sound)).toHaveProperty('result')
  })

  test(`${name}: a job that takes too long is ended, and the next one is done`, async () => {
    await using house = await open()
    const { renderer } = house

    const failure = await failureOf(renderer.run(house.endless))
    expect(failure).toBeInstanceOf(UnrenderableImageError)
    expect(failure).toMatchObject({ reason: 'too-slow' })
    expect(await renderer.run(house.sound)).toHaveProperty('result')
  })

  test(`${name}: a job that is to be over sooner than others ends then, and its image is not blamed`, async () => {
    await using house = await open()
    const { renderer } = house

    const failure = await failureOf(renderer.run(house.endless, { withinMs: 50 }))
    expect(failure).toBeInstanceOf(RenderDeadlineError)
    expect(await renderer.run(house.sound, { withinMs: 60_000 })).toHaveProperty('result')
  })

  test(`${name}: of more jobs than there are slots every one is done, whatever its neighbours do`, async () => {
    await using house = await open()
    const { renderer, sound, damaged, endless } = house
    const jobs = [sound, damaged, sound, endless, sound, sound, damaged, sound]
    const answers = await Promise.allSettled(jobs.map((job) => renderer.run(job)))

    expect(answers.map(({ status }) => status)).toEqual(
      jobs.map((job) => (job === sound ? 'fulfilled' : 'rejected')),
    )
  })
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}
