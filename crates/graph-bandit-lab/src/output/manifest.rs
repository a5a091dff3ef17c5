//! The manifest: what produced a result, to identify it and to make it again.

use super::names::MANIFEST;
use super::written::{Files, failed};
use crate::campaign::{Campaign, fingerprint};
use crate::disk::{sync_folder, write_aside};
use crate::error::LabError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// What produced a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version that began the campaign.
    pub version: String,
    /// The seeds of the studies, by name.
    pub seeds: BTreeMap<String, u64>,
    /// A fingerprint of each graph, by its text.
    pub graphs: BTreeMap<String, String>,
    /// A fingerprint of everything that determines the results.
    pub plan: String,
    /// What was carried out, as data.
    pub spec: serde_json::Value,
    /// Its files as they were written.
    #[serde(default, skip_serializing_if = "Files::is_empty")]
    pub files: Files,
}

impl Manifest {
    /// The manifest of a campaign with these files.
    pub fn of(campaign: &Campaign, files: Files) -> Self {
        let graphs = campaign.graph_hashes.clone();
        let seeds = campaign.studies.iter().map(|study| (study.name.clone(), study.seed)).collect();
        let spec = serde_json::to_value(campaign).unwrap_or_default();
        let version = campaign.version.clone();
        let mut manifest = Self { version, seeds, graphs, plan: String::new(), spec, files };
        manifest.plan = manifest.fingerprint();
        manifest
    }

    fn fingerprint(&self) -> String {
        let bare = Self { plan: String::new(), files: Files::new(), ..self.clone() };
        fingerprint(serde_json::to_string(&bare).unwrap_or_default().bytes())
    }

    /// The manifest of a complete result; `None` if there is no such file, or it is damaged or
    /// something else: other programs also write a `manifest.json`.
    ///
    /// # Errors
    /// When it exists but cannot be read.
    pub fn read(directory: &Path) -> Result<Option<Self>, LabError> {
        let path = directory.join(MANIFEST);
        match fs::read(&path) {
            Ok(text) => Ok(serde_json::from_slice(&text)
                .ok()
                .filter(|manifest: &Self| manifest.plan == manifest.fingerprint())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(failed(&path, &cause)),
        }
    }

    /// Completes a result, whose files must be on disk.
    pub(super) fn write(&self, directory: &Path) -> Result<(), LabError> {
        let path = directory.join(MANIFEST);
        let text = serde_json::to_string(self).map_err(|cause| failed(&path, &cause.into()))?;
        write_aside(&path, (text + "\n").as_bytes())
            .and_then(|()| sync_folder(directory))
            .map_err(|cause| failed(&path, &cause))
    }
}
