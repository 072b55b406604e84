import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { prepareLanguage } from './language/language.ts'
import { applyTheme } from './theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the dashboard')
applyTheme()
await prepareLanguage()
// Not before: its texts are asked for where they are written, in the language that was prepared.
const { Dashboard } = await import('./dashboard.tsx')
createRoot(root).render(
  <StrictMode>
    <Dashboard />
  </StrictMode>,
)
