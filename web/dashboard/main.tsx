import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { prepareLanguage } from './language/language.ts'
import { NotLoaded } from './parts/feedback/not-loaded.tsx'
import { applyTheme } from './theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the dashboard')
applyTheme()

/** Not at once: its texts are asked for where they are written, in the language that was prepared. */
async function loadDashboard() {
  await prepareLanguage()
  return (await import('./dashboard.tsx')).Dashboard
}

async function show(element: HTMLElement): Promise<void> {
  const rootOfPage = createRoot(element)
  try {
    const Dashboard = await loadDashboard()
    rootOfPage.render(
      <StrictMode>
        <Dashboard />
      </StrictMode>,
    )
  } catch {
    rootOfPage.render(<NotLoaded />)
  }
}

await show(root)
