import { createContext, type ReactNode, useContext } from 'react'

const ReadOnly = createContext(false)

/** Disables every button and field inside while `isOn`, also without a script. Links work. */
export function ReadOnlyFrame({ isOn, children }: { isOn: boolean; children: ReactNode }) {
  return (
    <ReadOnly value={isOn}>
      {/* A fieldset's only purpose here is to disable, so it isn't announced as a group. */}
      <fieldset role="presentation" disabled={isOn} className="contents">
        {children}
      </fieldset>
    </ReadOnly>
  )
}

/** Whether buttons and fields are disabled here, so that choices among things to look at have to be links. */
export const useIsReadOnly = () => useContext(ReadOnly)
