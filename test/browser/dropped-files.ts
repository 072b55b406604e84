import type { Page } from 'playwright-core'

/** By name, what is in them. */
export type DroppedFiles = Readonly<Record<string, string>>

/** Whatever is dragged from outside the browser, in the steps that are named. */
export async function drag(
  page: Page,
  files: DroppedFiles,
  types: readonly string[],
): Promise<void> {
  await page.evaluate(
    ({ files: given, types: events }) => {
      const dataTransfer = new DataTransfer()
      for (const [name, content] of Object.entries(given))
        dataTransfer.items.add(new File([content], name, { type: 'text/plain' }))
      for (const type of events)
        document.body.dispatchEvent(
          new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
        )
    },
    { files, types },
  )
}

export const hover = ['dragenter', 'dragover'] as const

export const drop = (page: Page, files: DroppedFiles): Promise<void> =>
  drag(page, files, [...hover, 'drop'])
