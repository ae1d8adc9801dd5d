from hypothesis import HealthCheck, settings

# On a busy machine an example is slow at times; that says nothing of the engine.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
