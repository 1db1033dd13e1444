// Settings tab `text-templates`: texts that customers can choose from.
import { section, setting } from '../kinds.ts'
import type { SettingsTab } from '../setting.ts'

export const textTemplates: SettingsTab = {
  tab: 'text-templates',
  sections: [
    section('tt-general', 'Text Templates', [
      setting('text-templates', 'svc_text_templates', 'Text Templates', []).says(
        'Texts that customers can choose from; read and written at /text-templates only.',
      ),
    ]),
  ],
}
