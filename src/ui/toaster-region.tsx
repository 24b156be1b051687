import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { Toaster } from 'sonner'
import { Spinner } from './spinner.tsx'

/** Loaded after the page works; its colours are in toaster.css. */
export default function ToasterRegion() {
  return (
    <Toaster
      position="bottom-center"
      closeButton
      duration={6000}
      gap={10}
      containerAriaLabel="Notifications"
      icons={{
        success: <CircleCheck size={20} className="text-success" aria-hidden />,
        error: <CircleAlert size={20} className="text-danger" aria-hidden />,
        warning: <TriangleAlert size={20} className="text-warning" aria-hidden />,
        info: <Info size={20} className="text-primary" aria-hidden />,
        loading: <Spinner className="text-primary" />,
        close: <X size={14} aria-hidden />,
      }}
    />
  )
}
