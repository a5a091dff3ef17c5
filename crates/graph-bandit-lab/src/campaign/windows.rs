//! The windows of a campaign: those its studies ask for, and those a directory already has.

use super::Campaign;
use crate::study_file::StudyFile;
use crate::window::Window;
use serde_json::Value;

/// The figures must show a window that is measured.
pub(super) fn check(study: &StudyFile) -> Result<(), String> {
    let measured = study.measured_in();
    if measured.contains(&study.window) {
        return Ok(());
    }
    let names: Vec<&str> = measured.iter().map(|window| window.name()).collect();
    let (shown, measured) = (study.window.name(), names.join(", "));
    Err(format!(
        "the figures show window {shown}, but runs are measured in {measured}; add {shown:?} to \
         `windows`, or set `window` to a measured one"
    ))
}

impl Campaign {
    /// Also measures every run in these windows.
    pub fn measure_in(&mut self, windows: &[Window]) {
        for &window in windows {
            if !self.windows.contains(&window) {
                self.windows.push(window);
            }
        }
        let all = Window::all();
        let place = |window: &Window| all.iter().position(|known| known == window);
        self.windows.sort_by_key(|window| place(window).unwrap_or(all.len()));
    }

    /// The position of a window in the rows; `None` if they do not have it.
    pub fn place_of(&self, window: Window) -> Option<usize> {
        self.windows.iter().position(|known| *known == window)
    }

    /// Continues with the windows of a stored plan if they include all that this campaign asks for.
    /// A campaign that asks for fewer windows than were measured finds them.
    pub(crate) fn adopt_windows_of(&mut self, stored: &Value) {
        let found: Option<Vec<Window>> =
            names_in(stored).iter().map(|name| Window::of_name(name).ok()).collect();
        if let Some(found) = found
            && self.windows.iter().all(|window| found.contains(window))
        {
            self.windows = found;
        }
    }

    /// Whether a stored plan differs only in its windows, measured or shown.
    pub(crate) fn is_same_but_for_windows(&self, stored: &Value) -> bool {
        let own = serde_json::to_value(self).unwrap_or_default();
        without_windows(&own) == without_windows(stored)
    }

    /// The window that this campaign asks for and an otherwise equal stored plan lacks.
    pub(crate) fn lacks_only(&self, stored: &Value) -> Option<Window> {
        let found = names_in(stored);
        let lacking = self.windows.iter().find(|window| !found.iter().any(|n| n == window.name()));
        lacking.copied().filter(|_| self.is_same_but_for_windows(stored))
    }
}

/// The names of a stored plan's windows; none if it is not a plan.
fn names_in(stored: &Value) -> Vec<String> {
    let names = stored.get("windows").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

/// A plan without its windows.
fn without_windows(plan: &Value) -> Value {
    let mut plan = plan.clone();
    if let Some(plan) = plan.as_object_mut() {
        plan.remove("windows");
    }
    let studies = plan.get_mut("studies").and_then(Value::as_array_mut).into_iter().flatten();
    for study in studies.filter_map(Value::as_object_mut) {
        study.remove("window");
        study.remove("windows");
    }
    plan
}
