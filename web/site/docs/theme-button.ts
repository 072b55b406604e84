import { element } from './elements.ts'
import { keepChoice, keptChoice } from './kept.ts'

const themes = ['system', 'light', 'dark'] as const
const keptName = 'sedge-theme'

/** One button through the three, as the dashboard keeps it too. */
export function offerThemes(): void {
  const button = element('button', '', { type: 'button', class: 'theme' })
  let theme = themes.find((each) => each === keptChoice(keptName)) ?? 'system'
  const say = (): void => {
    button.textContent = `Theme: ${theme}`
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
    keepChoice(keptName, theme)
    say()
  })
  say()
  document.querySelector('.bar nav')?.append(button)
}
