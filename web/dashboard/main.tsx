import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { Dashboard } from './dashboard.tsx'
import { applyTheme } from './theme.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no place for the dashboard')
applyTheme()
createRoot(root).render(
  <StrictMode>
    <Dashboard />
  </StrictMode>,
)
