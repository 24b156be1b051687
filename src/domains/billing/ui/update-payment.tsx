import { useState } from 'react'
import { DialogButton } from '../../../ui/dialog-button.tsx'
import { updatePaymentQuestion } from './billing-questions.tsx'
import { QuestionDialog } from './question-dialog.tsx'

type UpdatePaymentProps = {
  label: string
  ariaLabel?: string
  size?: 'sm' | 'md'
  variant?: 'primary' | 'secondary'
}

/** Says where it leads before it leads there. */
export function UpdatePayment({
  label,
  ariaLabel,
  size = 'md',
  variant = 'secondary',
}: UpdatePaymentProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <DialogButton
        page={updatePaymentQuestion.page}
        onOpen={() => setIsOpen(true)}
        variant={variant}
        size={size}
        aria-label={ariaLabel}
      >
        {label}
      </DialogButton>
      {isOpen && (
        <QuestionDialog question={updatePaymentQuestion} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}
