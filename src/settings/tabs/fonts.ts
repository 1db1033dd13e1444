// Settings tab `fonts`: fonts that are offered.
import type { SettingsTab } from '../setting.ts'

export const fonts: SettingsTab = {
  tab: 'fonts',
  sections: [
    {
      section: 'fonts',
      sectionLabel: 'Fonts for the typeface dropdown',
      settings: [
        {
          id: 'svc_common_fonts',
          type: 'text',
          label: 'System Fonts',
          default: '',
          description:
            "Names of fonts that customers' systems bring along, separated by commas. While none were ever stored, Arial, Helvetica, Times New Roman, Verdana and Geneva are offered; a lone comma offers none.",
        },
        {
          id: 'svc_google_webfonts',
          type: 'multiselect',
          label: 'Google Webfonts',
          default: [],
          description: 'Fonts of Google Fonts that are offered.',
        },
        {
          id: 'svc_fonts_directory',
          type: 'multiselect',
          label: 'Uploaded Fonts',
          default: [],
          description: 'File names of the uploaded fonts that are offered.',
        },
      ],
    },
  ],
}
