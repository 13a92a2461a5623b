; Installs Sidekicks for the person who runs it, without asking for an administrator.
; scripts/package defines VERSION, BUILT and OUT.
Unicode true
ManifestDPIAware true
SetCompressor /SOLID lzma
Name "Sidekicks"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Sidekicks"
InstallDirRegKey HKCU "Software\Sidekicks" "Folder"

!include MUI2.nsh
!define MUI_ICON "${BUILT}\sidekicks.ico"
!define MUI_UNICON "${BUILT}\sidekicks.ico"
!define MUI_FINISHPAGE_RUN "$INSTDIR\Sidekicks.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "French"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Sidekicks"

Section
  SetOutPath "$INSTDIR"
  File "${BUILT}\Sidekicks.exe"
  File "${BUILT}\agentbox.exe"
  File "${BUILT}\THIRD-PARTY.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Sidekicks.lnk" "$INSTDIR\Sidekicks.exe"
  WriteRegStr HKCU "Software\Sidekicks" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Sidekicks"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\Sidekicks.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "Sidekicks"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

; Configurations and histories stay.
Section Uninstall
  Delete "$INSTDIR\Sidekicks.exe"
  Delete "$INSTDIR\agentbox.exe"
  Delete "$INSTDIR\THIRD-PARTY.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Sidekicks.lnk"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\Sidekicks"
SectionEnd
