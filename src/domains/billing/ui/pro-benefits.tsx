import { Check } from 'lucide-react'
import { Link } from 'react-router'
import { cn } from '../../../ui/cn.ts'
import { proBenefits } from './plan-words.ts'
import { wishForUpgrade } from './upgrade-wish.ts'

export function ProBenefits({ className }: { className?: string }) {
  return (
    <ul aria-label="What Pro brings" className={cn('grid gap-2', className)}>
      {proBenefits.map((benefit) => (
        <li key={benefit} className="flex gap-2.5">
          <Check size={18} aria-hidden className="mt-0.5 shrink-0 text-success" />
          {benefit}
        </li>
      ))}
    </ul>
  )
}

/** To the page that says each of them in full. */
export function AllOfPro() {
  return (
    <p className="text-sm">
      <Link
        to="/pro"
        // The dialog closes by itself only where this leads to another page.
        onClick={() => wishForUpgrade(false)}
        className="font-semibold text-primary underline underline-offset-4"
      >
        What Pro is, in full
      </Link>
    </p>
  )
}
