/** Before anything is seen: the colours that were chosen here or in the dashboard, and that scripts run. */
{
  const root = document.documentElement
  root.classList.add('scripted')
  try {
    const kept = localStorage.getItem('sedge-theme')
    if (kept === 'light' || kept === 'dark') root.dataset['theme'] = kept
  } catch {
    // Where nothing may be kept, the colours are those of the system.
  }
}
