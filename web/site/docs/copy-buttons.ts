import { element } from './elements.ts'

const thanksMs = 1_500

/** A button at each block of code, which copies it as it stands there. */
export function offerCopies(): void {
  const status = element('p', '', { role: 'status', class: 'hidden-text' })
  document.body.append(status)
  for (const block of document.querySelectorAll('article pre')) {
    const frame = element('div', '', { class: 'code' })
    block.replaceWith(frame)
    frame.append(block, copyButton(block.textContent.trimEnd(), status))
  }
}

function copyButton(code: string, status: HTMLElement): HTMLButtonElement {
  const button = element('button', 'Copy', { type: 'button', class: 'copy' })
  const copy = async (): Promise<void> => {
    const text = (await copied(code)) ? 'Copied' : 'Select it and press Ctrl+C'
    button.textContent = text
    status.textContent = text
    setTimeout(() => {
      button.textContent = 'Copy'
      status.textContent = ''
    }, thanksMs)
  }
  button.addEventListener('click', () => void copy())
  return button
}

/** Browsers have no clipboard for pages without TLS that are not on this machine. */
async function copied(code: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code)
    return true
  } catch {
    return false
  }
}
