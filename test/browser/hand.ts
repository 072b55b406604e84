import { expect } from 'bun:test'
import type { Locator, Page } from 'playwright-core'

import { until } from '../support/until.ts'
import { drop, type DroppedFiles } from './dropped-files.ts'

/** What somebody does with a page, by mouse or by keyboard alone. */
export interface Hand {
  readonly name: 'mouse' | 'keyboard'
  /** Follows a link, presses a button. */
  activate(target: Locator): Promise<void>
  /** In place of what is in the field. */
  type(field: Locator, text: string): Promise<void>
  /** An option of a list, by its label. */
  choose(list: Locator, label: string): Promise<void>
  check(box: Locator): Promise<void>
  /** One of a group of which one alone is chosen. */
  pick(radio: Locator): Promise<void>
  /** Drops files where it can, chooses them by `button` where not. */
  bring(button: Locator, files: DroppedFiles): Promise<void>
}

export const mouse = (page: Page): Hand => ({
  name: 'mouse',
  activate: (target) => target.click(),
  async type(field, text) {
    await field.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  },
  // What opens is the system's own, which a browser without windows does not draw.
  choose: async (list, label) => void (await list.selectOption({ label })),
  check: (box) => box.click(),
  // The words beside it are what is seen of it.
  pick: (radio) => radio.locator('xpath=..').click(),
  bring: (_, files) => drop(page, files),
})

export const keyboard = (page: Page): Hand => ({
  name: 'keyboard',
  async activate(target) {
    await reach(page, target)
    await page.keyboard.press('Enter')
  },
  async type(field, text) {
    await reach(page, field)
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(text)
  },
  async choose(list, label) {
    await reach(page, list)
    await page.keyboard.type(label)
    const chosen = await list.evaluate(
      (select) => (select as HTMLSelectElement).selectedOptions[0]?.label,
    )
    expect(chosen).toBe(label)
  },
  async check(box) {
    await reach(page, box)
    await page.keyboard.press('Space')
  },
  async pick(radio) {
    const group = radio.locator('xpath=ancestor::fieldset')
    await reach(page, group.getByRole('radio', { checked: true }))
    for (let steps = 0; !(await radio.isChecked()); steps += 1) {
      if (steps > mostSteps) throw new Error(`${String(radio)} is not reached by arrows`)
      await page.keyboard.press('ArrowRight')
    }
  },
  async bring(button, files) {
    // The dialog of the system is shown nowhere, and only that of a field can be answered from here.
    await page.evaluate(() => Reflect.set(globalThis, 'showOpenFilePicker', undefined))
    const chooser = page.waitForEvent('filechooser')
    await reach(page, button)
    await page.keyboard.press('Enter')
    const given = Object.entries(files).map(([name, content]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(content),
    }))
    await (await chooser).setFiles(given)
  },
})

/** More than any page has between two places that one goes on with. */
const mostTabs = 150
const mostSteps = 20

/** Goes there by Tab, or back by Shift and Tab, whichever is the way; its focus must be seen. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let tabs = 0; tabs < mostTabs; tabs += 1) {
    const way = await target.evaluate(wayTo)
    if (way === 'there') return await expectVisibleFocus(target)
    await page.keyboard.press(way === 'back' ? 'Shift+Tab' : 'Tab')
  }
  throw new Error(
    `${String(target)} is not reached by Tab: ${await page.evaluate(() => document.activeElement?.outerHTML)}`,
  )
}

/** An item of a list that is one stop of Tab, and goes on by arrows. */
export async function reachItem(page: Page, item: Locator): Promise<void> {
  await item.waitFor()
  await reach(page, page.locator('[data-index][tabindex="0"]'))
  const current = () =>
    page.evaluate(() => Number(document.activeElement?.getAttribute('data-index')))
  await page.keyboard.press('Home')
  await until(async () => (await current()) === 0)
  for (let steps = 1; (await item.evaluate(wayTo)) !== 'there'; steps += 1) {
    if (steps > mostSteps) throw new Error(`${String(item)} is not reached by arrows`)
    await page.keyboard.press('ArrowRight')
    await until(async () => (await current()) === steps)
  }
  await expectVisibleFocus(item)
}

function wayTo(target: Element): 'there' | 'on' | 'back' {
  const { activeElement } = document
  if (activeElement === target) return 'there'
  // The dialog that is open has the focus in it; what is not in it has to wait.
  if (activeElement === null || activeElement === document.body) return 'on'
  const position = activeElement.compareDocumentPosition(target)
  return (position & Node.DOCUMENT_POSITION_PRECEDING) !== 0 &&
    (position & Node.DOCUMENT_POSITION_CONTAINS) === 0
    ? 'back'
    : 'on'
}

async function expectVisibleFocus(target: Locator): Promise<void> {
  const seen = await target.evaluate((element) => {
    const ringed = [
      element,
      ...((element as HTMLInputElement).labels ?? []),
      element.parentElement,
      // Text with numbers beside it has its ring around both.
      element.closest('.numbered'),
    ]
    return (
      element.matches(':focus-visible') &&
      ringed.some((each) => {
        if (!(each instanceof Element)) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each)
        const isRinged = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
        return isRinged || boxShadow !== 'none'
      })
    )
  })
  expect({ target: String(target), seen }).toEqual({ target: String(target), seen: true })
}
