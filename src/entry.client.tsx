import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { withLastingForms } from './web/lasting-forms.ts'
import { withPatience } from './web/patient-reading.ts'

window.fetch = withLastingForms(withPatience(window.fetch.bind(window)))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
