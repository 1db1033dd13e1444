// Settings tab `text-templates`: texts that customers can choose from.
import type { SettingsTab } from '../setting.ts'

export const textTemplates: SettingsTab = {
  tab: 'text-templates',
  sections: [
    {
      section: 'tt-general',
      sectionLabel: 'Text Templates',
      settings: [
        {
          id: 'svc_text_templates',
          type: 'text-templates',
          label: 'Text Templates',
          default: [],
          description: 'Texts that customers can choose from; read and written at /text-templates only.',
        },
      ],
    },
  ],
}
