import type { PushReport, ReportWriter } from './push-report.ts'

/** What is said to whoever pushes while it is worked on, and in the end. */
export interface PushTalk {
  say(line: string): void
  end(report: PushReport): void
  /** For one reader: all that was said, as it is said. */
  written(writer: ReportWriter): AsyncGenerator<Uint8Array, void, undefined>
}

const keepAliveMs = 5_000

export function createPushTalk(): PushTalk {
  const lines: string[] = []
  let report: PushReport | undefined
  let news = Promise.withResolvers<void>()

  async function* written(writer: ReportWriter): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      for (let line = lines.shift(); line !== undefined; line = lines.shift())
        yield* nonEmpty(writer.progress(line))
      if (report !== undefined) return yield* nonEmpty(writer.end(report))
      if (await isSilent(news.promise)) yield* nonEmpty(writer.nothing)
      else news = Promise.withResolvers()
    }
  }

  return {
    written,
    say(line) {
      lines.push(line)
      news.resolve()
    },
    end(made) {
      report = made
      news.resolve()
    },
  }
}

function* nonEmpty(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  if (bytes.length > 0) yield bytes
}

/** Whether there is nothing to say for so long that the connection has to be kept alive. */
async function isSilent(news: Promise<void>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, keepAliveMs, true)
  const isQuiet = await Promise.race([promise, news.then(() => false)])
  clearTimeout(timer)
  return isQuiet
}
